import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A machine whose clock, 15 January 2026, 10:00 UTC, is behind the service's. */
async function behind(by: number, ...answers: readonly Answer[]): Promise<Connected> {
  const connection = await connected(...answers);
  const { world, service } = connection;
  service.now = () => world.clock.now + by;
  return connection;
}

const accepted: Answer = { body: { emailId: 'email_1' } };
const email = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';
const warning =
  "Warning: This machine's clock is 3 days behind the service's, which says Sun 18 Jan 2026, 10:00 GMT (2026-01-18T10:00:00Z). Times are read by the service's clock.\n";

describe('a clock that is behind', () => {
  test.each([
    [`email send ${email} --scheduled-at`, 'email_1', accepted],
    [`email send ${email} --check --scheduled-at`, 'email_1', accepted],
    ['email reschedule email_1 --scheduled-at', 'email_1', accepted],
  ])('does not send at once: %s', async (line, id, answer) => {
    const { run, sent } = await behind(3 * day, answer);
    const outcome = await run([...line.split(' '), 'tomorrow 9am', '-q']);
    expect(outcome).toEqual({ exitCode: 0, stdout: `${id}\n`, stderr: warning });
    expect(sent()).toMatchObject({ scheduledAt: '2026-01-19T09:00:00Z' });
  });

  test('does not send a batch at once', async () => {
    const { run, service } = await behind(3 * day, { body: { data: [{ emailId: 'email_1' }] } });
    const line = `email batch - ${email.replace('--to ana@example.org ', '')} --yes --scheduled-at`;
    const stdin = '{"to":"ana@example.org"}\n';
    const outcome = await run([...line.split(' '), 'in 2 hours'], { stdin });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(warning) });
    const posted = service.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(posted?.body ?? '')).toMatchObject([{ scheduledAt: '2026-01-18T12:00:00Z' }]);
  });

  test.each([
    `email send ${email} --scheduled-at 2026-01-17T09:00Z`,
    'email reschedule email_1 --scheduled-at 2026-01-17T09:00Z',
    'campaign schedule cm3k9x2f8000008l4 --scheduled-at 2026-01-17T09:00Z --yes',
    'campaign create --name n --from hi@example.com --subject s --book book_1 --html {{usesend_unsubscribe_url}} --scheduled-at 2026-01-17T09:00Z --yes',
  ])('makes a time that is past at the service an error: %s', async (line) => {
    const { run, service } = await behind(3 * day);
    const outcome = await run(`${line} --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain('is in the past');
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('is said in a dry run, which asks nobody', async () => {
    const { run, requests } = await behind(3 * day);
    const words = [...`email send ${email} --dry-run --scheduled-at`.split(' '), 'tomorrow 9am'];
    const outcome = await run(words);
    expect(outcome.stderr).toContain(
      '--scheduled-at: "tomorrow 9am" means Fri 16 Jan 2026, 09:00 GMT (2026-01-16T09:00:00Z), by this machine\'s clock.\n',
    );
    expect(requests()).toEqual([]);
  });
});

test('a campaign is overdue by the clock of the service', async () => {
  const campaign = {
    ...{ id: 'cm3k9x2f8000008l4', name: 'News', status: 'SCHEDULED', total: 1, sent: 0 },
    scheduledAt: '2026-01-18T09:00:00.000Z',
  };
  const { run } = await behind(3 * day, { body: campaign });
  const { stdout, stderr } = await run('campaign get cm3k9x2f8000008l4', { terminal: 100 });
  expect(stdout + stderr).toContain('was to start 1 hour ago');
});

describe('a clock that is ahead', () => {
  const found = (status: string, createdAt: string) => ({
    body: {
      data: [
        {
          ...{ id: 'email_1', to: ['a@example.org'], from: 'b@example.com', subject: 's' },
          ...{ latestStatus: status, createdAt, updatedAt: createdAt, scheduledAt: null },
        },
      ],
      count: 1,
    },
  });
  const list = found('BOUNCED', '2026-01-12T09:55:00.000Z');

  test('hides nothing: email list --since asks again by the clock of its first response', async () => {
    const { run, requests } = await behind(-3 * day, list, list);
    const outcome = await run('email list --failed --since 1h --quiet');
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'email_1\n' });
    expect(outcome.stderr).toContain("This machine's clock is 3 days ahead of the service's");
    expect(requests().map((one) => /startDate=([^&]*)/.exec(one)?.[1])).toEqual([
      '2026-01-15T09%3A00%3A00Z',
      '2026-01-12T09%3A00%3A00Z',
    ]);
  });

  test('is no green gate: email watch --fail-on sees the bounce', async () => {
    const { run } = await behind(-3 * day, ...Array<Answer>(20).fill(list));
    const outcome = await run('email watch --since 10m --fail-on bounced --timeout 5s --quiet');
    expect(outcome).toMatchObject({ exitCode: 9, stdout: expect.stringContaining('email_1') });
  });
});

test('less than a minute is no difference, and costs a reading command no request', async () => {
  const { run, requests } = await behind(59_000, { body: { data: [], count: 0 } });
  expect(await run('email list --since 1h --json')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(requests()).toHaveLength(1);
});

test.each([undefined, 'Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'])(
  'a service that shows the time as %j changes nothing, and this is said',
  async (date) => {
    const answer: Answer = (response) => {
      response.sendDate = false;
      response.removeHeader('date');
      if (date !== undefined) response.setHeader('date', date);
      response.setHeader('content-type', 'application/json').end('{"emailId":"email_1"}');
    };
    const { run, service, sent } = await connected(answer, answer);
    service.answersClock = true;
    const outcome = await run(`email send ${email} --scheduled-at 2h --quiet`);
    expect(outcome).toEqual({
      exitCode: 0,
      stdout: 'email_1\n',
      stderr:
        "Warning: The service's responses show no time, so times are read by this machine's clock.\n",
    });
    expect(sent(1)).toMatchObject({ scheduledAt: '2026-01-15T12:00:00Z' });
  },
);
