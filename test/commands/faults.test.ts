import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyService } from '../support/faulty.ts';
import { shortLimit } from '../support/time-limits.ts';

// How the program handles each fault that the sandbox can simulate.

const send = 'email send --to ana@example.com --from hello@example.com --subject Hi --text Hello';

/** Sends one email. Returns the one key of all its requests, and their statuses. */
async function sending(faults: readonly string[], flags = '-q') {
  const service = await faultyService(faults);
  const outcome = await service.world.run(`${send} ${flags}`);
  const requests = service.requests();
  return {
    ...service,
    ...outcome,
    statuses: requests.map(({ status }) => status),
    keys: new Set(requests.map(({ key }) => key)),
    recipients: service.recipients(),
    pauses: service.world.clock.pauses,
  };
}

describe('email send', () => {
  test('succeeds after a service was unavailable', async () => {
    const end = await sending(['POST /v1/emails 503 x2']);
    expect(end).toMatchObject({ exitCode: 0, statuses: [503, 503, 200] });
    expect(end.keys.size).toBe(1);
    expect(end.recipients).toEqual(['ana@example.com']);
  });

  test('waits as long as a 429 requests', async () => {
    const end = await sending(['POST /v1/emails 429 x1']);
    expect(end).toMatchObject({ exitCode: 0, statuses: [429, 200] });
    expect(end.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(1000);
    expect(end.recipients).toHaveLength(1);
  });

  test.each([
    ['drop', 0],
    ['drop-reply', 200],
    ['cut-reply', 200],
  ])('%s: sends again under the same key, and nobody gets it twice', async (effect, status) => {
    const end = await sending([`POST * ${effect} x2`]);
    expect(end).toMatchObject({ exitCode: 0, statuses: [status, status, 200] });
    expect(end.keys.size).toBe(1);
    expect(end.recipients).toEqual(['ana@example.com']);
  });

  test('without any response reports that it may have been sent, and how to repeat it', async () => {
    const { world, ...end } = await sending(['POST * drop-reply x5']);
    expect(end).toMatchObject({ exitCode: 7, stdout: '' });
    expect(end.stderr).toContain('The request may have been accepted.');
    expect(end.stderr).toContain(`--idempotency-key ${[...end.keys][0]}`);
    expect(end.recipients).toHaveLength(1);
    const line = end.stderr.slice(end.stderr.lastIndexOf('mailer ') + 'mailer '.length);
    const again = await world.run(line.trim());
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\S+\n$/) });
    expect(end.requests()).toHaveLength(6);
    expect(new Set(end.requests().map(({ key }) => key))).toEqual(end.keys);
  });

  test('gives up waiting, and may not have been rejected', async () => {
    const end = await sending(['POST * delay 1h x2'], `--timeout ${shortLimit} --retries 1`);
    expect(end).toMatchObject({ exitCode: 7, stdout: '' });
    expect(end.stderr).toContain(`within ${shortLimit} s`);
    expect(end.stderr).toContain('The request may have been accepted.');
  });

  test('times out, and is not retried: its key may not be locked any more', async () => {
    const end = await sending(['POST * delay 1h x1'], `-q --timeout ${shortLimit}`);
    expect(end).toMatchObject({ exitCode: 7, stdout: '', recipients: [] });
    expect(end.stderr).toContain('--idempotency-key');
  });

  test('is rejected once and for all when the key has expired', async () => {
    const end = await sending(['* * expired-key']);
    // The second request tests the key, because a blocked account gets the same response.
    expect(end).toMatchObject({ exitCode: 3, stdout: '', statuses: [403, 403], recipients: [] });
    expect(end.stderr).toContain('Invalid API token');
    expect(end.stderr).toContain(String(end.world.env.MAILER_BASE_URL));
  });

  test('is rejected once and for all when the account is blocked', async () => {
    const end = await sending(['* * blocked']);
    expect(end).toMatchObject({
      exitCode: 3,
      stdout: '',
      statuses: [403, 200, 200],
      recipients: [],
    });
    expect(end.stderr).toContain('This account is blocked from sending');
    expect(end.stderr).toContain(
      'Hint: Nothing was sent. The key is valid, but the account is blocked. Ask the operator of the service. To see since when and why: mailer reputation events\n',
    );
    expect((await end.world.run('email list -q')).exitCode).toBe(0);
  });

  // After a 400 or 409, the list of domains tells whether the sender is the reason: its domain may
  // not be verified, or the idempotency key may belong to this email with its domain in the
  // registered spelling. After a 404 in plain text, the list tells whether the base URL is right.
  test.each([
    ['400', 1, 'rejected', 'asks for the domains'],
    ['400:zod', 1, 'rejected', 'asks nothing else'],
    ['401', 3, 'auth', 'asks nothing else'],
    ['404', 4, 'not_found', 'asks nothing else'],
    ['404:bare', 4, 'not_found', 'asks nothing else'],
    ['404:text', 4, 'not_offered', 'asks for the domains'],
    ['409', 5, 'conflict', 'asks for the domains'],
    ['429', 6, 'rate_limited', 'asks nothing else'],
    ['500', 7, 'unavailable', 'asks nothing else'],
    ['502', 7, 'unavailable', 'asks nothing else'],
  ])('that always gets %s ends with %i, is %s and %s', async (effect, exitCode, code, asks) => {
    const key = '--idempotency-key order-1';
    const end = await sending([`POST /v1/emails ${effect}`], `${key} --json`);
    expect(end).toMatchObject({ exitCode, stdout: '', recipients: [] });
    expect(JSON.parse(end.stderr)).toMatchObject({ error: { code } });
    const status = Number(effect.slice(0, 3));
    const sent = { method: 'POST', path: '/api/v1/emails', status, key: 'order-1' };
    const asked = { method: 'GET', path: '/api/v1/domains', status: 200, key: null };
    expect(end.requests()).toEqual([
      ...Array(exitCode >= 5 ? 5 : 1).fill(sent),
      ...(asks === 'asks for the domains' ? [asked] : []),
    ]);
  });
});

test('email list reads on after latency, a cut reply and a dropped connection', async () => {
  const { world, requests } = await faultyService([
    'GET * delay 5ms',
    'GET /v1/emails cut-reply x1',
    'GET /v1/emails drop x1',
  ]);
  const { exitCode, stdout } = await world.run('email list -q');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'email_receipt\nemail_welcome\n' });
  expect(requests().map(({ status }) => status)).toEqual([200, 0, 200]);
});

test.each([
  ['429 x1', 0, [429, 200]],
  ['drop x1', 7, [0]],
  ['drop-reply x1', 7, [200]],
  ['503 x1', 7, [503]],
])(
  'campaign schedule, which must not happen twice, after %s',
  async (effect, exitCode, statuses) => {
    const path = '/v1/campaigns/{campaignId}/schedule';
    const { world, requests } = await faultyService([`POST ${path} ${effect}`]);
    const create = 'campaign create --name A --from a@example.com --subject Hi -q';
    const html = ['--book', 'book_customers', '--html', '{{usesend_unsubscribe_url}}'];
    const { stdout } = await world.run([...create.split(' '), ...html]);
    const end = await world.run(`campaign schedule ${stdout.trim()} --now --yes`);
    expect(end.exitCode, end.stderr).toBe(exitCode);
    const asked = requests().filter((request) => request.path.endsWith('/schedule'));
    expect(asked.map(({ status }) => status)).toEqual(statuses);
  },
);

describe('email batch', () => {
  const count = 300;
  const people = Array.from({ length: count }, (_, index) => `person${index}@example.com`);
  const rows = people.map((to) => ({ to, from: 'a@example.com', subject: 'Hi', text: 'Hello' }));

  async function batch(faults: readonly string[], rateLimit?: number, flags = '') {
    const service = await faultyService(faults, rateLimit);
    writeFileSync(join(service.world.home, 'rows.json'), JSON.stringify(rows));
    const outcome = await service.world.run(`email batch rows.json -q --yes${flags}`);
    return { ...outcome, ...service };
  }

  test.each([
    'POST /v1/emails/batch drop-reply x2',
    'POST /v1/emails/batch cut-reply x2',
    'POST /v1/emails/batch drop x2',
    'POST /v1/emails/batch 502 x2',
  ])('%s: everybody gets it, and nobody twice', async (fault) => {
    const { exitCode, stdout, recipients, requests } = await batch([fault]);
    expect(exitCode).toBe(0);
    expect(recipients().sort()).toEqual([...people].sort());
    expect(new Set(stdout.trim().split('\n')).size).toBe(count);
    const sent = requests().filter(({ method }) => method === 'POST');
    expect(sent).toHaveLength(5);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  test.each(['short x1', 'short 7 x2', 'short 100 x3', 'short 2 x3'])(
    '%s: what was left out is sent again, and nobody gets it twice',
    async (effect) => {
      const { exitCode, stdout, recipients } = await batch([`POST /v1/emails/batch ${effect}`]);
      expect(exitCode).toBe(0);
      expect(recipients().sort()).toEqual([...people].sort());
      expect(new Set(stdout.trim().split('\n')).size).toBe(count);
    },
  );

  test('keeps within a rate limit', async () => {
    const { exitCode, recipients, requests, world } = await batch([], 2, ' --concurrency 1');
    expect(exitCode).toBe(0);
    expect(recipients()).toHaveLength(count);
    expect(requests().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(world.clock.pauses.length).toBeGreaterThan(0);
  });
});

test('email list --all keeps within a rate limit', async () => {
  const { world, requests } = await faultyService([], 2);
  const rows = Array.from({ length: 100 }, (_, index) => ({
    to: `person${index}@example.com`,
    from: 'a@example.com',
    subject: 'Hi',
    text: 'Hello',
  }));
  writeFileSync(join(world.home, 'rows.json'), JSON.stringify([...rows, ...rows]));
  await world.run('email batch rows.json -q --yes');
  world.clock.advance(10_000);
  const before = requests().length;
  const started = world.clock.now;
  const { exitCode, stdout } = await world.run('email list --all -q');
  expect(exitCode).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(202);
  const statuses = requests()
    .slice(before)
    .map(({ status }) => status);
  expect(statuses).toEqual(Array(statuses.length).fill(200));
  expect(world.clock.now - started).toBeGreaterThan((statuses.length / 2 - 1) * 1000);
});
