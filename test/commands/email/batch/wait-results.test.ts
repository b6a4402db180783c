import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../../src/lib/base/errors.ts';
import { fileIn } from '../../../support/connected.ts';
import { bounce, mailboxService, type StoredEmail } from '../../../support/mailbox-service.ts';
import { createWorld, type World } from '../../../support/run.ts';

const content = '--from hello@example.com --subject Hi --text Hello --yes';
const results = (world: World, name: string) => readFileSync(join(world.home, name), 'utf8');
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** A service that delivers what it accepts, as if at once; but `to` bounces, and what `more` says holds for each email. */
async function delivering(people: readonly string[], more: Partial<StoredEmail> = {}) {
  const emails: StoredEmail[] = [];
  const service = await mailboxService(emails, () => {
    for (const email of emails) {
      const to = email.to[0] ?? '';
      const event = to.startsWith('gone')
        ? bounce('Permanent', `550 5.1.1 <${to}> unknown`, to)
        : { status: 'DELIVERED', createdAt: '2026-01-15T10:00:01.000Z' };
      Object.assign(email, { latestStatus: event.status, emailEvents: [event], ...more });
    }
  });
  service.file('people.csv', ['to', ...people].join('\n'));
  return service;
}

const many = Array.from({ length: 12 }, (_, index) => `p${index + 1}@example.org`);

describe('--results with --wait', () => {
  test('has the last event of each email, its time and the reason', async () => {
    const world = createWorld();
    fileIn(world, 'people.csv', 'to\nana@example.org\nnobody\nbounced@example.org\n');
    const line = `email batch people.csv ${content} --sandbox --skip-invalid --results r.jsonl`;
    expect((await world.run(`${line} --wait`)).exitCode).toBe(9);
    expect(linesOf(results(world, 'r.jsonl'))).toEqual([
      {
        ...{ row: 1, to: 'ana@example.org', emailId: expect.any(String) },
        ...{ lastEvent: 'DELIVERED', lastEventAt: '2026-01-15T10:00:01.000Z' },
        reason: expect.stringContaining('250'),
      },
      { row: 2, to: 'nobody', error: expect.objectContaining({ code: 'invalid' }) },
      {
        ...{ row: 3, to: 'bounced@example.org', emailId: expect.any(String) },
        ...{ lastEvent: 'BOUNCED', lastEventAt: '2026-01-15T10:00:01.000Z' },
        reason: expect.stringContaining('550 5.1.1'),
      },
    ]);
    // The same command without --wait writes what it always wrote.
    await world.run(line);
    expect(results(world, 'r.jsonl')).not.toContain('lastEvent');
  });

  test('CSV has a column for each', async () => {
    const service = await delivering(['ana@example.org', 'gone@example.org', ...many]);
    await service.run(`email batch people.csv ${content} --wait --results r.csv`);
    const lines = results(service.world, 'r.csv').split('\r\n');
    expect(lines[0]).toBe('row,to,emailId,error,message,lastEvent,lastEventAt,reason');
    expect(lines[1]).toBe('1,ana@example.org,em_1,,,DELIVERED,2026-01-15T10:00:01.000Z,');
    expect(lines[2]).toMatch(
      /^2,gone@example\.org,em_2,,,BOUNCED,2026-01-15T08:00:05\.000Z,.*550 5\.1\.1/,
    );
  });

  test('has the time of emails that the list has shown as delivered; stdout is as without it', async () => {
    const one = await delivering(many);
    const alone = await one.run(`email batch people.csv ${content} --wait --json`);
    const other = await delivering(many);
    const outcome = await other.run(
      `email batch people.csv ${content} --wait --json --results r.jsonl`,
    );
    expect(outcome).toEqual(alone);
    expect(linesOf(results(other.world, 'r.jsonl'))).toEqual(
      many.map((to, index) => ({
        ...{ row: index + 1, to, emailId: `em_${index + 1}` },
        ...{ lastEvent: 'DELIVERED', lastEventAt: '2026-01-15T10:00:01.000Z' },
      })),
    );
  });

  test('has no time if the histories cannot be read, and a warning says so', async () => {
    const service = await delivering(many, { isBroken: true });
    const { exitCode, stderr } = await service.run(
      `email batch people.csv ${content} --wait --retries 0 --results r.jsonl`,
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: r.jsonl has no time of 12 emails: ');
    expect(linesOf(results(service.world, 'r.jsonl'))[0]).toEqual({
      ...{ row: 1, to: 'p1@example.org', emailId: 'em_1', lastEvent: 'DELIVERED' },
    });
  });

  test('has the status of emails whose time is up', async () => {
    const service = await delivering(many, { latestStatus: 'SENT', emailEvents: [] });
    const { exitCode } = await service.run(
      `email batch people.csv ${content} --wait --wait-timeout 5s --results r.jsonl`,
    );
    expect(exitCode).toBe(10);
    expect(linesOf(results(service.world, 'r.jsonl'))[11]).toEqual({
      ...{ row: 12, to: 'p12@example.org', emailId: 'em_12', lastEvent: 'SENT' },
    });
  });

  test('has been written before the wait, and stays so if that is interrupted', async () => {
    const controller = new AbortController();
    const service = await mailboxService([], () => {
      controller.abort(new InterruptedError('Interrupted.'));
    });
    service.file('people.csv', ['to', ...many].join('\n'));
    const { exitCode } = await service.run(
      `email batch people.csv ${content} --wait --results r.jsonl`,
      { signal: controller.signal },
    );
    expect(exitCode).toBe(130);
    expect(linesOf(results(service.world, 'r.jsonl'))[11]).toEqual({
      ...{ row: 12, to: 'p12@example.org', emailId: 'em_12' },
    });
  });
});
