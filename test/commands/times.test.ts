import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';
import { summary } from './campaign/draft.ts';

// These tests' machines are in UTC, on Thursday, 2026-01-15 10:00.

const send = 'email send --from a@b.example --to c@d.example --subject S --text T'.split(' ');
const accepted = { body: { emailId: 'em_1' } };

describe('a time to send at', () => {
  test.each([
    ['2h', '2026-01-15T12:00:00Z'],
    ['90m', '2026-01-15T11:30:00Z'],
    ['2d', '2026-01-17T10:00:00Z'],
    ['tomorrow 9am Europe/Berlin', '2026-01-16T08:00:00Z'],
    ['tomorrow 9am UTC+2', '2026-01-16T07:00:00Z'],
    ['tomorrow 9am +02:00', '2026-01-16T07:00:00Z'],
    ['tomorrow 9am Z', '2026-01-16T09:00:00Z'],
  ])('%s is sent as %s, by every command', async (when, scheduledAt) => {
    const at = ['--scheduled-at', when];
    const campaign = summary('camp_1', { status: 'DRAFT' });
    const { run, sent, file } = await connected(
      accepted,
      accepted,
      { body: { success: true } },
      { body: campaign },
      { body: { data: [{ emailId: 'em_1' }] } },
    );
    await run([...send, ...at, '--timezone', 'Asia/Tokyo']);
    await run(['email', 'reschedule', 'em_1', ...at]);
    const schedule =
      'campaign schedule cm3k9x2f8000008l4abcdefgh --yes --literal --allow-blank --again';
    await run([...schedule.split(' '), ...at]);
    file('campaign.json', {
      ...{ name: 'N', from: 'a@b.example', subject: 'S', contactBookId: 'book_1' },
      ...{ html: '<p>{{usesend_unsubscribe_url}}</p>', scheduledAt: when },
    });
    await run(['campaign', 'create', '--file', 'campaign.json', '--yes', '--allow-duplicate']);
    file('people.csv', `to,scheduledAt\nc@d.example,${when}\n`);
    const batch = 'email batch people.csv --from a@b.example --subject S --text T --yes';
    await run(batch.split(' '));
    for (const index of [0, 1, 2, 3]) expect(sent(index)).toMatchObject({ scheduledAt });
    expect(sent(4)).toMatchObject([{ scheduledAt }]);
  });

  test.each([
    ['monday', 'Mon 19 Jan 2026, 00:00 GMT (2026-01-19T00:00:00Z)'],
    ['tomorrow morning', 'Fri 16 Jan 2026, 06:00 GMT (2026-01-16T06:00:00Z)'],
    ['monday at 9', 'Mon 19 Jan 2026, 09:00 GMT (2026-01-19T09:00:00Z)'],
    ['2026-02-01', 'Sun 1 Feb 2026, 00:00 GMT (2026-02-01T00:00:00Z)'],
  ])('%s: the hour that was chosen is said before it is sent', async (when, meaning) => {
    const { run } = await connected({ status: 400, body: { error: { message: 'No' } } });
    const { stderr } = await run([...send, '--scheduled-at', when]);
    expect(stderr).toMatch(/^--scheduled-at: .*\nError: No\n/);
    expect(stderr).toContain(`--scheduled-at: "${when}" means ${meaning}.\n`);
  });

  test('an hour given in the text is not reported', async () => {
    const { run } = await connected(accepted);
    const { stderr } = await run([...send, '--scheduled-at', 'monday 9am']);
    expect(stderr).toBe('Scheduled for Mon 19 Jan 2026, 09:00 GMT (2026-01-19T09:00:00Z).\n');
  });

  test('of the rows of a file, the first without an hour is reported', async () => {
    const { run, file, sent } = await connected({
      body: { data: ['1', '2', '3'].map((emailId) => ({ emailId })) },
    });
    file(
      'people.csv',
      'to,scheduledAt\na@b.example,monday\nc@d.example,tuesday\ne@f.example,monday\n',
    );
    const line = 'email batch people.csv --from a@b.example --subject S --text T --yes';
    const { stderr } = await run(line);
    expect(stderr.match(/means/g)).toHaveLength(1);
    expect(stderr).toContain('scheduledAt: "monday" means Mon 19 Jan 2026, 00:00 GMT');
    expect(sent()).toMatchObject([
      { scheduledAt: '2026-01-19T00:00:00Z' },
      { scheduledAt: '2026-01-20T00:00:00Z' },
      { scheduledAt: '2026-01-19T00:00:00Z' },
    ]);
  });

  test.each([
    [[], 'Fri 16 Jan 2026, 09:00 GMT+1 (2026-01-16T08:00:00Z)'],
    [['--json'], 'Fri 16 Jan 2026, 09:00 GMT+1 (2026-01-16T08:00:00Z)'],
  ])('a dry run shows it local and in UTC %j', async (flags, meaning) => {
    const words = [...send, '--scheduled-at', 'tomorrow 9am', '--timezone', 'Europe/Berlin'];
    const { exitCode, stdout, stderr } = await createWorld().run([...words, '--dry-run', ...flags]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('2026-01-16T08:00:00Z');
    expect(stderr).toBe(
      `--scheduled-at: "tomorrow 9am" means ${meaning}, by this machine's clock.\nDry run: nothing was sent.\n`,
    );
  });

  test('a dry run of a batch shows the time of --scheduled-at once', async () => {
    const { run, file } = await connected();
    file('people.csv', 'to\na@b.example\nc@d.example\n');
    const words = 'email batch people.csv --from a@b.example --subject S --text T --dry-run'.split(
      ' ',
    );
    const { stderr } = await run([...words, '--scheduled-at', 'monday']);
    expect(stderr).toBe(
      `--scheduled-at: "monday" means Mon 19 Jan 2026, 00:00 GMT (2026-01-19T00:00:00Z), by this machine's clock.\nDry run: nothing was sent.\n`,
    );
  });

  test('that clocks skip is moved forward, with a warning', async () => {
    const { run, sent } = await connected(accepted);
    const at = ['--scheduled-at', '2026-03-29T02:30', '--timezone', 'Europe/Berlin', '--quiet'];
    const { exitCode, stderr } = await run([...send, ...at]);
    expect(exitCode).toBe(0);
    expect(sent()).toMatchObject({ scheduledAt: '2026-03-29T01:30:00Z' });
    expect(stderr).toBe(
      'Warning: --scheduled-at: "2026-03-29T02:30" does not exist in Europe/Berlin, because clocks go forward. Used instead: Sun 29 Mar 2026, 03:30 GMT+2 (2026-03-29T01:30:00Z). For the time before the change, write 2026-03-29T01:30+01:00\n',
    );
  });

  test('that clocks show twice is the first, with a warning', async () => {
    const { run, sent } = await connected(accepted, accepted);
    const { stderr } = await run([...send, '--scheduled-at', '2026-10-25 02:30 Europe/Berlin']);
    expect(sent()).toMatchObject({ scheduledAt: '2026-10-25T00:30:00Z' });
    expect(stderr).toMatch(
      /^Warning: --scheduled-at: "2026-10-25 02:30 Europe\/Berlin" occurs twice in Europe\/Berlin, because clocks go back\. The first is used: Sun 25 Oct 2026, 02:30 GMT\+2 \(2026-10-25T00:30:00Z\)\. For the second, write 2026-10-25T02:30\+01:00\n/,
    );
    await run([...send, '--scheduled-at', '2026-10-25T02:30+01:00']);
    expect(sent(1)).toMatchObject({ scheduledAt: '2026-10-25T01:30:00Z' });
  });

  test.each([
    ['tomorrow 9am CET', 'CET', /^Use Europe\/Berlin, in the time itself or as --timezone\./],
    ['tomorrow 9am IST', 'IST', /Asia\/Kolkata, Asia\/Jerusalem, or Europe\/Dublin/],
    ['tomorrow 9am Berlin', 'Berlin', /Europe\/Berlin/],
  ])('%s is not guessed', async (when, name, hint) => {
    const { run, service } = await connected();
    const outcome = await run([...send, '--scheduled-at', when, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(`--scheduled-at: "${name}" is not a time zone`);
    expect(errorOf(outcome).hint).toMatch(hint);
    expect(service.requests).toEqual([]);
  });
});

describe('a time to send at, on another day', () => {
  /** What `email send` does with a time on this day, at 10:00 in UTC. */
  async function sentOn(today: string, when: string) {
    const { world, run, sent, service } = await connected(accepted);
    world.clock.now = Date.parse(`${today}T10:00:00Z`);
    const outcome = await run([...send, '--scheduled-at', when]);
    return { ...outcome, body: service.requests.length === 0 ? undefined : sent() };
  }

  test.each([
    ['next month', '2026-01-31', '2026-02-28T10:00:00Z'],
    ['in 1 month at 9am', '2026-01-31', '2026-02-28T09:00:00Z'],
    ['1mo', '2026-08-31', '2026-09-30T10:00:00Z'],
    ['next year', '2028-02-29', '2029-02-28T10:00:00Z'],
    ['next quarter', '2026-11-30', '2027-02-28T10:00:00Z'],
  ])('%s on %s is %s, the last day of that month, which is said', async (when, today, at) => {
    const { body, stderr } = await sentOn(today, when);
    expect(body).toMatchObject({ scheduledAt: at });
    expect(stderr).toMatch(new RegExp(`^--scheduled-at: "${when}" means .* \\(${at}\\)\\.\n`));
  });

  test.each([
    ['next month', '2026-01-28', '2026-02-28T10:00:00Z'],
    ['in 2 months', '2026-01-31', '2026-03-31T10:00:00Z'],
    ['monday next week 9am', '2026-11-25', '2026-11-30T09:00:00Z'],
    ['friday this week 9am', '2026-11-25', '2026-11-27T09:00:00Z'],
    ['next week on tuesday at 9am', '2026-11-25', '2026-12-01T09:00:00Z'],
    ['9am friday this week', '2026-11-25', '2026-11-27T09:00:00Z'],
  ])('%s on %s is %s', async (when, today, scheduledAt) => {
    expect((await sentOn(today, when)).body).toMatchObject({ scheduledAt });
  });

  test.each([
    ['monday this week 9am', '2026-11-25', 'is in the past: Mon 23 Nov 2026, 09:00 GMT'],
    ['in 1 month and 3 days', '2026-01-31', 'is ambiguous'],
    ['1 month after jan 31', '2026-01-15', 'is ambiguous'],
    // Weeks of some people begin on Sunday.
    ['sunday next week', '2026-11-25', 'is ambiguous'],
    ['monday next week', '2026-11-29', 'is ambiguous'],
    ['end of month', '2026-11-28', 'is ambiguous'],
    ['end of the month', '2026-11-28', 'is ambiguous'],
  ])('%s on %s stops: it %s', async (when, today, problem) => {
    const { exitCode, stderr, body } = await sentOn(today, when);
    expect({ exitCode, body }).toEqual({ exitCode: 2, body: undefined });
    expect(stderr).toContain(`--scheduled-at: "${when}" ${problem}`);
  });

  test.each([
    ['1M', '1m for minutes, or 1mo for months'],
    ['2 M', '2 m for minutes, or 2 mo for months'],
    ['1h30M', '1h30m for minutes, or 1h30mo for months'],
  ])('%s stops, because it may be months', async (when, either) => {
    const { exitCode, stderr, body } = await sentOn('2026-11-28', when);
    expect({ exitCode, body }).toEqual({ exitCode: 2, body: undefined });
    expect(stderr).toBe(`Error: --scheduled-at: "${when}" is ambiguous\nHint: Write ${either}.\n`);
  });

  test('5 PM is an hour', async () => {
    const { body } = await sentOn('2026-11-28', '5 PM');
    expect(body).toMatchObject({ scheduledAt: '2026-11-28T17:00:00Z' });
  });

  test('that a date is of the next year is said', async () => {
    const { stderr } = await sentOn('2026-11-28', 'nov 20 9am');
    expect(stderr).toMatch(/^--scheduled-at: "nov 20 9am" means Sat 20 Nov 2027, 09:00 GMT/);
  });

  test('an unreadable one has an example in the future', async () => {
    const { stderr } = await sentOn('2026-11-28', 'soonish');
    expect(stderr).toContain('such as 2026-11-29T09:00 or 2026-11-29T09:00+00:00');
  });
});

describe('a duration', () => {
  test.each([
    ['--since 90m', { startDate: '2026-01-15T08:30:00Z' }],
    [
      '--since 2d --until 1h30m',
      { startDate: '2026-01-13T10:00:00Z', endDate: '2026-01-15T08:30:00Z' },
    ],
  ])('of %s is ago', async (flags, query) => {
    const { run, service } = await connected({ body: { data: [], count: 0 } });
    expect(await run(`email list ${flags}`)).toMatchObject({ exitCode: 0 });
    const { searchParams } = new URL(service.requests[0]?.path ?? '', service.baseUrl);
    expect(Object.fromEntries(searchParams)).toMatchObject(query);
  });

  test.each(['2m', '90s', '1h', '30', '0.5'])('--timeout takes %s', async (timeout) => {
    const { run } = await connected({ body: [] });
    expect(await run(['domain', 'list', '--timeout', timeout])).toMatchObject({ exitCode: 0 });
  });
});

describe('a local time', () => {
  const email = {
    ...{ id: 'em_1', to: ['c@d.example'], from: 'a@b.example', subject: 'S', emailEvents: [] },
    ...{ createdAt: '2026-01-15T09:00:00Z', scheduledAt: null, latestStatus: 'SENT' },
  };

  test.each([
    [[], '1 hour ago, 2026-01-15 09:00\n'],
    [['--timezone', 'UTC'], '1 hour ago, 2026-01-15 09:00\n'],
    [['--timezone', 'Europe/Berlin'], '1 hour ago, 2026-01-15 10:00 GMT+1\n'],
    [['--timezone', 'UTC-3'], '1 hour ago, 2026-01-15 06:00 GMT-3\n'],
  ])('has its offset when the zone is not that of the machine: %j', async (flags, shown) => {
    const { run } = await connected({ body: email });
    const { stdout } = await run(['email', 'get', 'em_1', '--no-color', ...flags], {
      terminal: 100,
    });
    expect(stdout).toContain(shown);
  });

  test.each([
    ['Berlin', 'Europe/Berlin'],
    ['EST', 'America/New_York'],
  ])('--timezone %s suggests %s', async (name, zone) => {
    const { run, service } = await connected();
    const outcome = await run(['email', 'list', '--since', '1d', '--timezone', name, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome)).toMatchObject({
      message: `--timezone: "${name}" is not a time zone`,
      hint: `Use ${zone}. Or use an offset, such as UTC+2.`,
    });
    expect(service.requests).toEqual([]);
  });
});
