import { describe, expect, test } from 'vitest';
import { failureOf } from '../../support/connected.ts';
import { bounce, mailboxService, type StoredEmail, stored } from '../../support/mailbox-service.ts';

const at = (minute: number) => `2026-01-15T10:${String(minute).padStart(2, '0')}:00.000Z`;

/** An account in which something happens before each request for the list, and the service that has it. */
async function busy(emails: StoredEmail[], ...happenings: readonly (() => void)[]) {
  const left = [() => {}, ...happenings];
  return await mailboxService(emails, () => left.shift()?.());
}

const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('new emails and changes of status are lines, from now on', async () => {
  const emails = [stored('em_1', { latestStatus: 'SENT', createdAt: at(0) })];
  const [first] = emails;
  const { run } = await busy(
    emails,
    () => emails.unshift(stored('em_2', { latestStatus: 'QUEUED', createdAt: at(1) })),
    () => {},
    () => Object.assign(first ?? {}, { latestStatus: 'BOUNCED' }),
  );
  const outcome = await run('email watch --until-idle 1m --jsonl');
  expect(outcome.exitCode).toBe(0);
  expect(lines(outcome.stdout)).toMatchObject([
    { id: 'em_2', latestStatus: 'QUEUED', previousStatus: null },
    { id: 'em_1', latestStatus: 'BOUNCED', previousStatus: 'SENT', text: 'Hello' },
  ]);
});

test('--since shows what is there, oldest first', async () => {
  const earlier = (minute: number) => at(minute).replace('T10', 'T09');
  const emails = Array.from({ length: 70 }, (_, index) =>
    stored(`em_${70 - index}`, { createdAt: earlier(Math.floor((70 - index) / 2)) }),
  );
  const { run } = await busy(emails);
  const outcome = await run(`email watch --since ${earlier(5)} --until-idle 10s --quiet`);
  const ids = Array.from({ length: 61 }, (_, index) => `em_${index + 10}`);
  expect(outcome.stdout.trimEnd().split('\n')).toEqual(ids);
});

test('filters apply to what has come of an email, and --events says why', async () => {
  const emails = ['em_3', 'em_2', 'em_1'].map((id) => stored(id, { latestStatus: 'SENT' }));
  const { run } = await busy(emails, () => {
    emails[0] && Object.assign(emails[0], { latestStatus: 'DELIVERED' });
    for (const [index, kind] of [
      [1, 'Permanent'],
      [2, 'Transient'],
    ] as const) {
      Object.assign(emails[index] ?? {}, {
        latestStatus: 'BOUNCED',
        emailEvents: [bounce(kind, 'no such mailbox', 'ana@example.org')],
      });
    }
  });
  const outcome = await run('email watch --permanent --until-idle 20s --jsonl');
  expect(lines(outcome.stdout)).toMatchObject([{ id: 'em_2', bounceType: 'Permanent' }]);
});

test('an email that is on its way is found behind many newer ones', async () => {
  const emails = [stored('em_1', { latestStatus: 'SENT', createdAt: at(0) })];
  const [first] = emails;
  const { run } = await busy(
    emails,
    () => {
      for (let index = 0; index < 120; index++) {
        emails.unshift(stored(`em_new${index}`, { createdAt: at(1) }));
      }
    },
    () => {},
    () => {},
    () => {},
    () => Object.assign(first ?? {}, { latestStatus: 'DELIVERED' }),
  );
  const outcome = await run('email watch --to ana@example.org --until-idle 1m --quiet');
  expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(121);
  expect(outcome.stdout).toMatch(/em_1\n$/);
});

describe('the end', () => {
  const twice = (emails: StoredEmail[], status: string) => () => {
    emails.unshift(
      stored('em_3', { latestStatus: status, createdAt: at(2) }),
      stored('em_2', { latestStatus: 'SENT', createdAt: at(1) }),
    );
  };

  test('--count ends after so many lines', async () => {
    const emails = [stored('em_1')];
    const { run } = await busy(emails, twice(emails, 'SENT'));
    expect((await run('email watch --count 1 --quiet')).stdout).toBe('em_2\n');
  });

  test('--fail-on is 9, after the line that says why', async () => {
    const emails = [stored('em_1')];
    const { run } = await busy(emails, twice(emails, 'BOUNCED'));
    const outcome = await run('email watch --fail-on bounced,complained --jsonl');
    expect(outcome.exitCode).toBe(9);
    expect(lines(outcome.stdout).map(({ id }) => id)).toEqual(['em_2', 'em_3']);
    expect(failureOf(outcome).message).toBe('Email em_3 to ana@example.org is BOUNCED.');
  });

  test('Ctrl-C is 130', async () => {
    const emails = [stored('em_1')];
    const { run } = await busy(emails, twice(emails, 'SENT'));
    const outcome = await run('email watch --quiet', { until: 'em_3' });
    expect(outcome).toMatchObject({ exitCode: 130, stdout: 'em_2\nem_3\n' });
  });

  test('a service that does not respond any more is 7, not the end of the watch', async () => {
    const emails = [stored('em_1')];
    const { run, service } = await busy(emails, () => {
      void service.close();
    });
    const outcome = await run('email watch --until-idle 1m --json --retries 0');
    expect(outcome.exitCode).toBe(7);
  });
});

test.each([
  ['--until 2026-01-01', '--until selects past emails'],
  ['--fail-on lost', '--fail-on: "lost" is not one of'],
  ['--count 0', '--count: "0" is not a whole number'],
])('%s is an error', async (flags, message) => {
  const { run, requests } = await mailboxService([]);
  const outcome = await run(`email watch ${flags}`);
  expect(outcome.exitCode).toBe(2);
  expect(outcome.stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('a terminal shows a line each, and what may be missed', async () => {
  const emails = [stored('em_1')];
  const { run } = await busy(emails, () =>
    emails.unshift(stored('em_2', { subject: 'A\u001b[2JB', createdAt: at(1) })),
  );
  const outcome = await run('email watch --count 1', { terminal: 100, env: { NO_COLOR: '1' } });
  expect(outcome.stdout).toMatch(
    /^2026-01-15 10:0\d:\d\d {2}DELIVERED {2}ana@example\.org {2}A\\x1b\[2JB\n$/,
  );
  expect(outcome.stderr).toContain(
    'Watching from now on. A status that lasts only a moment can be missed',
  );
});
