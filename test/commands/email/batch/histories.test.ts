import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { seeded } from '../../../support/seeded.ts';

// Random histories of a batch: a service that fails, loses responses, or creates or rejects only
// some emails, and runs that are interrupted and started again with the same command line.

interface Email {
  readonly to: string;
  readonly subject: string;
  readonly templateId?: string;
  readonly inReplyToId?: string;
}

interface RowResult {
  readonly row: number;
  readonly to: string;
  readonly emailId?: string;
  readonly error?: { readonly code: string };
}

const problem = (code: string, message: string) => ({ error: { code, message } });

/** A service that fails until it is calm, and the emails it has created. */
function troubledService(random: () => number, people: readonly Email[]) {
  const chance = (probability: number) => random() < probability;
  const addresses = (probability: number) =>
    new Set(people.filter(() => chance(probability)).map(({ to }) => to));
  const rejected = addresses(0.02);
  const neverCreated = addresses(0.02);
  const short = random() * (chance(0.2) ? 1 : 0.05);
  const failing = random() * 0.3;
  const losing = random() * 0.3;
  const created = new Map<string, Email>();
  const replies = new Map<string, { readonly body: string; readonly reply: unknown }>();
  const violations: string[] = [];
  const state = { calm: false, created, violations, respond };

  function respond(...[response, request]: Parameters<Extract<Answer, (...a: never) => unknown>>) {
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const breakOff = () => void response.destroy();
    const pick = (outcomes: readonly (readonly [weight: number, respond: () => void])[]) => {
      let left = random();
      for (const [weight, outcome] of outcomes) {
        left -= weight;
        if (left < 0) return outcome();
      }
      return breakOff();
    };
    const failed = () =>
      pick([
        [0.25, () => json(500, problem('INTERNAL_SERVER_ERROR', 'oops'))],
        [0.1, () => json(502, 'bad gateway')],
        [0.05, () => json(409, problem('NOT_UNIQUE', 'in progress'))],
        [0.05, () => json(400, problem('BAD_REQUEST', 'quota'))],
        [0.05, () => json(200, { nonsense: 1 })],
        [0.05, () => json(503, problem('X', 'down'))],
        [0.05, () => json(429, problem('RATE_LIMITED', 'slow'))],
      ]);
    const lost = () =>
      pick([
        [0.3, () => json(500, problem('INTERNAL_SERVER_ERROR', 'after it was done'))],
        [0.2, () => json(200, { data: 'x' })],
        [0.1, () => json(303, {})],
      ]);
    const loses = !state.calm && chance(losing);
    if (!state.calm && chance(failing)) return failed();
    if (request.method === 'GET') {
      const email = created.get(request.path.split('/').at(-1) ?? '');
      if (loses) return breakOff();
      if (email === undefined || (!state.calm && chance(0.01))) {
        return json(404, problem('NOT_FOUND', 'no'));
      }
      const subject = email.templateId === undefined ? email.subject : 'of the template';
      return json(200, { id: 'x', to: chance(0.05) ? [] : [email.to], subject, emailEvents: [] });
    }
    const key = String(request.headers['idempotency-key']);
    const known = replies.get(key);
    if (known !== undefined) {
      if (request.body !== known.body) violations.push(`another body under ${key}`);
      return loses ? lost() : json(200, known.reply);
    }
    // The program's own request, with only the fields that are read here.
    const asked = JSON.parse(request.body) as Email | readonly Email[];
    const isBatch = Array.isArray(asked);
    const emails: readonly Email[] = [asked].flat();
    const templates = new Set(emails.map(({ templateId }) => templateId));
    if (templates.size > 1) violations.push('several templates in one batch');
    const isReply = ({ inReplyToId }: Email) => inReplyToId !== undefined;
    if (isBatch && emails.some(isReply)) violations.push('a reply in a batch');
    const issues = emails.flatMap(({ to }, at) =>
      rejected.has(to)
        ? [{ code: 'custom', path: isBatch ? [at, 'to'] : ['to'], message: 'bad' }]
        : [],
    );
    if (issues.length > 0)
      return json(400, { success: false, error: { issues, name: 'ZodError' } });
    const taken = emails.filter(({ to }) => !isBatch || !(neverCreated.has(to) || chance(short)));
    const ids = taken.map((email) => {
      const emailId = `email_${String(created.size + 1).padStart(6, '0')}`;
      created.set(emailId, email);
      return { emailId };
    });
    const reply = isBatch ? { data: ids } : ids[0];
    replies.set(key, { body: request.body, reply });
    return loses ? lost() : json(200, reply);
  }
  return state;
}

test.each(Array.from({ length: 5 }, (_, index) => index + 1))(
  'history %i ends, and each row is accepted once, rejected or unknown',
  async (seed) => {
    const random = seeded(seed);
    const chance = (probability: number) => random() < probability;
    const people = Array.from({ length: 1 + Math.floor(random() * 320) }, (_, index): Email => {
      const name = chance(0.1) ? `twin${Math.floor(index / 7)}` : `person${index + 1}`;
      const kind = random();
      return {
        to: `${name}@example.org`,
        subject: chance(0.5) ? 'S' : `S${index}`,
        ...(kind < 0.2 ? { templateId: `t${Math.floor(random() * 3)}` } : {}),
        ...(kind > 0.97 ? { inReplyToId: 'email_x' } : {}),
      };
    });
    const service = troubledService(random, people);
    let arrived = () => {};
    const setup = await connected(
      ...Array<Answer>(20_000).fill((response, request) => {
        arrived();
        service.respond(response, request);
      }),
    );
    const rows = people.map((one) => ({ ...one, from: 'a@b.example', text: 'T' }));
    setup.file('rows.json', rows);
    const words = [
      ...['email', 'batch', 'rows.json', '--yes', '--quiet', '--results', 'results.jsonl'],
      ...(chance(0.5) ? ['--keep-going'] : []),
      ...['--retries', String(Math.floor(random() * 3))],
      ...['--concurrency', String(1 + Math.floor(random() * 5))],
    ];

    let exitCode: number | undefined;
    for (let turn = 0; exitCode !== 0 && exitCode !== 11; turn++) {
      expect(turn, `it ended with ${exitCode} again and again`).toBeLessThan(22);
      service.calm = turn > 12;
      const controller = new AbortController();
      const stopAt = setup.service.requests.length + Math.floor(random() * 30);
      const stop = () => controller.abort(new Error('stopped'));
      const isStopped = chance(0.4) && !service.calm;
      const isAnsweredFirst = chance(0.5);
      arrived = () => {
        if (!isStopped || setup.service.requests.length < stopAt) return;
        if (isAnsweredFirst) setImmediate(stop);
        else stop();
      };
      const outcome = await setup.run(words, { signal: controller.signal, random: () => 0 });
      exitCode = outcome.exitCode;
      expect(exitCode, outcome.stderr).not.toBe(2);
    }

    expect(service.violations).toEqual([]);
    const results = readFileSync(join(setup.world.home, 'results.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      // Written by the program, one line per row.
      .map((line) => JSON.parse(line) as RowResult);
    expect(results.map(({ row, to }) => [row, to])).toEqual(
      people.map(({ to }, index) => [index + 1, to]),
    );
    const ids = results.flatMap(({ emailId }) => emailId ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { row, to, emailId, error } of results) {
      if (emailId === undefined) expect(['rejected', 'unknown']).toContain(error?.code);
      else
        expect(service.created.get(emailId)).toMatchObject({
          to,
          subject: people[row - 1]?.subject,
        });
    }
    for (const address of new Set(people.map(({ to }) => to))) {
      const own = results.filter(({ to }) => to === address);
      const accepted = own.filter(({ emailId }) => emailId !== undefined).length;
      const unknown = own.filter(({ error }) => error?.code === 'unknown').length;
      const mailed = [...service.created.values()].filter(({ to }) => to === address).length;
      expect(mailed, address).toBeGreaterThanOrEqual(accepted);
      expect(mailed, address).toBeLessThanOrEqual(accepted + unknown);
    }
  },
);
