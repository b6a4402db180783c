import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

/** Runs a command against a service without emails at this time in UTC, and tells what it asked for. */
async function listed(now: string, flags: readonly string[], command = ['email', 'list']) {
  const { world, run, service } = await connected(
    ...Array.from({ length: 3 }, () => ({ body: { data: [], count: 0 } })),
  );
  world.clock.now = Date.parse(now);
  const outcome = await run([...command, ...flags]);
  const [request] = service.requests;
  const query = new URL(request?.path ?? '', service.baseUrl).searchParams;
  return { ...outcome, requests: service.requests.length, query: Object.fromEntries(query) };
}

const saturday = '2026-11-28T10:00:00Z';

describe('--until and a day', () => {
  test.each([
    ['2026-11-28', '2026-11-28T23:59:59.999Z'],
    ['yesterday', '2026-11-27T23:59:59.999Z'],
    ['today', '2026-11-28T23:59:59.999Z'],
    ['monday', '2026-11-23T23:59:59.999Z'],
    ['monday last week', '2026-11-16T23:59:59.999Z'],
    ['nov 20', '2026-11-20T23:59:59.999Z'],
    ['2026-11-27 Asia/Tokyo', '2026-11-27T14:59:59.999Z'],
  ])('%s includes it', async (until, endDate) => {
    const { query, stderr } = await listed(saturday, ['--until', until]);
    expect(query).toMatchObject({ endDate });
    expect(stderr).not.toContain('means');
  });

  test('on a day of 25 hours, all of them', async () => {
    const flags = ['--until', '2026-10-25', '--timezone', 'Europe/Berlin'];
    const { query } = await listed(saturday, flags);
    expect(query).toMatchObject({ endDate: '2026-10-25T22:59:59.999Z' });
  });

  test('one day is a period', async () => {
    const { exitCode, query } = await listed(saturday, [
      ...['--since', '2026-11-28', '--until', '2026-11-28'],
    ]);
    expect(exitCode).toBe(0);
    expect(query).toMatchObject({
      startDate: '2026-11-28T00:00:00Z',
      endDate: '2026-11-28T23:59:59.999Z',
    });
  });

  test.each([
    ['2026-11-28T00:00', '2026-11-28T00:00:00Z'],
    ['2026-11-28T00:00:00Z', '2026-11-28T00:00:00Z'],
    ['yesterday 9am', '2026-11-27T09:00:00Z'],
    ['2d', '2026-11-26T10:00:00Z'],
    ['last week', '2026-11-21T10:00:00Z'],
  ])('%s is that moment, and nothing is said', async (until, endDate) => {
    const { query, stderr } = await listed(saturday, ['--until', until]);
    expect(query).toMatchObject({ endDate });
    expect(stderr).not.toContain('means');
  });

  test.each(['november', 'this month', 'this week', 'this year', 'march 2026', 'end of month'])(
    '%s is no day: an error',
    async (until) => {
      const { exitCode, stderr, requests } = await listed(saturday, ['--until', until]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`--until: "${until}" is ambiguous`);
      expect(requests).toBe(0);
    },
  );
});

describe('--since in the future', () => {
  test.each(['tomorrow', 'in 2 hours', 'tonight', 'next week', '2027-01-01', 'monday next week'])(
    '%s is an error that says when that is',
    async (since) => {
      const { exitCode, stderr, requests } = await listed(saturday, ['--since', since]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`Error: --since: "${since}" is in the future: `);
      expect(stderr).toMatch(/\(202\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\)\nHint: Write ISO 8601/);
      expect(requests).toBe(0);
    },
  );

  test.each([
    'email export --output out.csv',
    'email watch --until-idle 1s',
    'reputation events',
    'dmarc report reports',
    'sandbox wait --timeout 1s',
  ])('of %s is an error, too', async (command) => {
    const words = [...command.split(' '), '--since', 'in 2 hours', '--json'];
    const outcome = await createWorld({ MAILER_API_KEY: 'us_a_b' }).run(words);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('--since: "in 2 hours" is in the future: ');
  });

  test('a clock that is a little ahead may have written it', async () => {
    const { exitCode } = await listed(saturday, ['--since', '2026-11-28T10:00:05Z']);
    expect(exitCode).toBe(0);
  });

  test.each(['now', 'today', 'this week', 'this month'])('%s is not', async (since) => {
    expect(await listed(saturday, ['--since', since])).toMatchObject({ exitCode: 0 });
  });
});

test.each([
  ['--since', 'nov 30', 'Sun 30 Nov 2025, 00:00 GMT (2025-11-30T00:00:00Z)'],
  ['--until', 'dec 1 9am', 'Mon 1 Dec 2025, 09:00 GMT (2025-12-01T09:00:00Z)'],
])('%s: that %s was last year is said', async (flag, text, shown) => {
  const { exitCode, stderr } = await listed(saturday, [flag, text]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`${flag}: "${text}" means ${shown}.\n`);
});

test('a date of the last months is not explained', async () => {
  const { stderr } = await listed(saturday, ['--since', 'oct 30']);
  expect(stderr).not.toContain('means');
});

test.each([
  ['1 month ago', '2026-03-31', '2026-02-28'],
  ['last month', '2026-03-31', '2026-02-28'],
  ['1mo', '2026-03-31', '2026-02-28'],
  ['1 month ago', '2026-07-31', '2026-06-30'],
  ['3 months ago', '2026-05-31', '2026-02-28'],
  ['1 year ago', '2028-02-29', '2027-02-28'],
])('--since "%s" on %s is %s, the last day of that month, which is said', async (...texts) => {
  const [since, today, expected] = texts;
  const { query, stderr } = await listed(`${today}T10:00:00Z`, ['--since', since]);
  expect(query).toMatchObject({ startDate: `${expected}T10:00:00Z` });
  expect(stderr).toContain(`(${expected}T10:00:00Z).\n`);
});

test.each([
  ['monday this week', '2026-11-23'],
  ['monday last week', '2026-11-16'],
  ['tuesday last week', '2026-11-17'],
  ['friday of last week', '2026-11-20'],
  ['last week on thursday', '2026-11-19'],
  ["last week's wed", '2026-11-18'],
  ['this week', '2026-11-23'],
])('--since "%s" is %s: weeks begin on Monday', async (since, expected) => {
  const { query } = await listed(saturday, ['--since', since]);
  expect(query).toMatchObject({ startDate: `${expected}T00:00:00Z` });
});

test('an unreadable time has an example in the past', async () => {
  const { stderr } = await listed(saturday, ['--since', 'soonish']);
  expect(stderr).toContain(
    'Hint: Write ISO 8601, such as 2026-11-27T09:00 or 2026-11-27T09:00+00:00, a duration, such as 2h, or English, such as "yesterday 9am" or "7 days ago".',
  );
});
