import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { keys, repeat, rowsIn, runDirectory } from '../../../support/batch-run.ts';
import { acceptAny, emailsIn } from '../../../support/batch-service.ts';
import { type Connected, connectedWithoutTemplates } from '../../../support/connected.ts';
import type { Answer, Recorded } from '../../../support/recorder.ts';

type Handler = Extract<Answer, (...all: never[]) => unknown>;

const line = 'email batch rows.jsonl --from a@b.example --text T --yes --retries 0';

/** A service that responds in this way until `become` changes it, and a file of these rows. */
async function serving(first: Handler, ...rows: readonly object[]) {
  let answer = first;
  const setup = await connectedWithoutTemplates(
    ...repeat<Answer>(20_000, (response, request) => answer(response, request)),
  );
  setup.file('rows.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  const become = (next: Handler) => {
    answer = next;
  };
  return { ...setup, become };
}

function json(status: number, body: object): Handler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

const failing = json(500, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Not created' } });
const refusing = json(400, { error: { code: 'BAD_REQUEST', message: 'No' } });

/** The recipients of a request, be it one email or several. */
function recipients({ body }: Pick<Recorded, 'body'>): string[] {
  const emails = body.startsWith('[') ? emailsIn({ body }) : [JSON.parse(body)];
  return emails.map(({ to }) => String(to));
}

/** Fails requests with a recipient whose name starts like this, and handles all others with `otherwise`. */
function failingAt(name: string, otherwise: Handler = acceptAny): Handler {
  return (response, request) => {
    const isBad = recipients(request).some((to) => to.startsWith(name));
    (isBad ? failing : otherwise)(response, request);
  };
}

const people = (name: string, many: number, rest: object = {}) =>
  Array.from({ length: many }, (_, index) => ({
    to: `${name}${index + 1}@example.org`,
    subject: 'S',
    ...rest,
  }));
const reply = { inReplyToId: 'em_before' };

async function counts({ run }: Pick<Connected, 'run'>) {
  const [status] = JSON.parse((await run('run list --json')).stdout);
  return status;
}

test('--resend-unknown sends under a key of its own, which stays the same after that', async () => {
  const lose: Handler = (response) => response.destroy();
  const setup = await serving(lose, ...people('p', 2));
  expect(await setup.run(line)).toMatchObject({ exitCode: 7 });
  setup.world.clock.advance(24 * 3_600_000);
  expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
  expect(await setup.run(`${line} --resend-unknown`)).toMatchObject({ exitCode: 7 });
  setup.become(acceptAny);
  expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
  const [first, second, ...others] = keys(setup);
  expect(second).not.toBe(first);
  expect(others).toEqual([second]);
});

describe('what the service answers 500 to for ever', () => {
  test.for([
    ['replies', people('bad', 8, reply)],
    ['a whole request', people('bad', 100)],
  ] as const)('%s: keeps no other from going out, and is repeated as it is', async ([, bad]) => {
    const setup = await serving(failingAt('bad'), ...bad, ...people('good', 300));
    const { exitCode, stderr } = await setup.run(line);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(
      `The service responded with 500 to every attempt to send ${bad.length} emails. Resuming the run sends them again:\nrows 1, 2, 3,`,
    );
    expect(await counts(setup)).toMatchObject({ accepted: 300, unanswered: bad.length });
    expect(await setup.run(line)).toMatchObject({ exitCode: 7 });
    const known = new Set(keys(setup)).size;
    setup.become(acceptAny);
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
    expect(new Set(keys(setup)).size).toBe(known);
  });

  test('too many in a row: each run stops, and gets further than the one before', async () => {
    const setup = await serving(
      failingAt('bad'),
      ...people('bad', 30, reply),
      ...people('good', 300),
    );
    const words = `${line} --concurrency 1`;
    expect(await setup.run(words)).toMatchObject({ exitCode: 7 });
    expect(setup.service.requests).toHaveLength(11);
    expect(await counts(setup)).toMatchObject({ accepted: 0, unanswered: 11 });
    expect(await setup.run(words)).toMatchObject({ exitCode: 7 });
    expect(await counts(setup)).toMatchObject({ accepted: 0, unanswered: 22 });
    expect(await setup.run(words)).toMatchObject({ exitCode: 7 });
    expect(await counts(setup)).toMatchObject({ accepted: 300, unanswered: 30, left: 30 });
    setup.world.clock.advance(24 * 3_600_000);
    expect(await setup.run(words)).toMatchObject({ exitCode: 11 });
  });

  test.for([
    ['the rate limit', json(429, { error: { code: 'RATE_LIMITED', message: 'No' } })],
    ['a refusal', refusing],
    ['another 409', json(409, { error: { code: 'NOT_UNIQUE', message: 'No' } })],
  ] as const)(
    'and at the end with %s: it may have been sent, and is not divided, nor its age forgotten',
    async ([, last]) => {
      let fails = 0;
      const setup = await serving(
        (response, request) => {
          if (!recipients(request).some((to) => to.startsWith('bad'))) {
            return acceptAny(response, request);
          }
          (fails++ === 0 ? failing : last)(response, request);
        },
        ...people('bad', 100),
        ...people('good', 100),
      );
      expect((await setup.run(line)).exitCode).not.toBe(0);
      expect(setup.service.requests).toHaveLength(3);
      expect(await counts(setup)).toMatchObject({ accepted: 100, unanswered: 100 });
      setup.world.clock.advance(24 * 3_600_000);
      expect(await setup.run(line)).toMatchObject({ exitCode: 11 });
      expect(await counts(setup)).toMatchObject({ accepted: 100, unknown: 100 });
      expect(setup.service.requests).toHaveLength(3);
    },
  );

  test('a journal that cannot be written to ends the run only when all requests have their answers', async () => {
    let fails = 0;
    let answerSecond = () => {};
    const setup = await serving(
      async (response, request) => {
        if (recipients(request)[0]?.startsWith('good')) return acceptAny(response, request);
        if (++fails <= 2) return failing(response, request);
        if (fails === 3) {
          answerSecond = () => acceptAny(response, request);
          return;
        }
        const journal = new DatabaseSync(`${runDirectory(setup)}/journal.sqlite`);
        journal.exec(
          `CREATE TRIGGER full BEFORE UPDATE ON part WHEN new.state = 'unknown'
           BEGIN SELECT RAISE(ABORT, 'full'); END`,
        );
        journal.close();
        failing(response, request);
        // By then, a run that does not wait would have ended.
        for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
        answerSecond();
      },
      ...['one', 'two'].map((templateId) => ({ to: `${templateId}@example.org`, templateId })),
      ...people('good', 1),
    );
    expect((await setup.run(`${line} --concurrency 2`)).exitCode).not.toBe(0);
    expect(await counts(setup)).toMatchObject({ accepted: 2, unanswered: 1 });
  });

  test('may be many, each between others that are accepted', async () => {
    const pairs = 40;
    const rows = Array.from({ length: pairs }, (_, index) => [
      { to: `bad${index}@example.org`, templateId: 'gone', ...reply },
      { to: `good${index}@example.org`, subject: 'S', ...reply },
    ]);
    const setup = await serving(failingAt('bad'), ...rows.flat());
    const { exitCode, stdout } = await setup.run(`${line} --jsonl --concurrency 2`);
    expect(exitCode).toBe(11);
    expect(rowsIn(stdout).filter(({ error }) => error?.code === 'unknown')).toHaveLength(pairs);
  });
});
