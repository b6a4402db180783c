import { describe, expect, test } from 'vitest';
import { connected, errorOf, failureOf } from '../support/connected.ts';
import type { Answer } from '../support/recorder.ts';
import { createWorld } from '../support/run.ts';

const id = 'cm3k9x2f8000008l4';
const event = { status: 'DELIVERED', createdAt: '2026-01-15T10:00:00Z' };
const verified = { id: 4, name: 'a.example', status: 'SUCCESS', dnsRecords: [] };

/** Commands that wait, with the responses that end each wait well. */
const waits: readonly [string, ...Answer[]][] = [
  ['domain verify a.example --wait', { body: [verified] }],
  ['domain verify 4 --wait', { body: [verified] }],
  ['email get em_1 --wait', { body: { id: 'em_1', cc: [], bcc: [], emailEvents: [event] } }],
  [`campaign watch ${id}`, { body: { id, status: 'SENT' } }],
];

const down: Answer = { status: 503, body: 'down' };
const page: Answer = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>We will be back soon</title>',
};
const busy: Answer = { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'Slowly' } } };
const gone: Answer = (response) => {
  response.destroy();
};

describe.each(waits)('%s', (line, ...answers) => {
  test.each<[string, Answer]>([
    ['a 503', down],
    ['a page in place of the service', page],
    ['a 429', busy],
    ['a lost connection', gone],
  ])('waits out %s before the first response', async (_, answer) => {
    // A page makes some commands try another endpoint.
    const { run } = await connected(...Array(8).fill(answer), ...answers);
    const { exitCode, stderr } = await run(`${line} --retries 0 --wait-timeout 10m`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(' Still waiting.\n');
  });

  test('waits for a service that refuses connections: 7, since when, and no status', async () => {
    const world = createWorld({
      MAILER_API_KEY: 'us_k_1',
      MAILER_BASE_URL: 'http://127.0.0.1:1/api',
    });
    const words = `${line} --wait-timeout 90s --allow-http`;
    const { exitCode, stderr } = await world.run(words);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(
      /\nError: The service has been unavailable since 2026-01-15T10:00:00\.000Z: 127\.0\.0\.1:1 refused the connection\. The status of .* is not known\.\nHint: To keep w/,
    );
    expect(world.clock.elapsed).toBeGreaterThanOrEqual(90_000);
    expect(world.clock.elapsed).toBeLessThanOrEqual(91_000);
    const since = new Date(world.clock.now).toISOString();
    const outcome = await world.run(`${words} --json`);
    expect(errorOf(outcome)).toMatchObject({
      code: 'unavailable',
      last: null,
      unreachableSince: since,
    });
  });

  test.each<[string, number, Answer]>([
    ['a key that is rejected', 3, { status: 401, body: { error: { code: 'UNAUTHORIZED' } } }],
    ['a URL without the API', 4, { status: 404, body: '404 Not Found' }],
  ])('%s ends it at once: %i', async (_, code, answer) => {
    const { run, world } = await connected(...Array(4).fill(answer));
    expect((await run(`${line} --wait-timeout 10m`)).exitCode).toBe(code);
    expect(world.clock.pauses).toEqual([]);
  });

  test('a name that does not exist ends it at once', async () => {
    const url = 'http://no-such-host.invalid/api';
    const world = createWorld({ MAILER_API_KEY: 'us_k_1', MAILER_BASE_URL: url });
    const { exitCode, stderr } = await world.run(`${line} --wait-timeout 10m --allow-http`);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('The name no-such-host.invalid was not found.');
    expect(world.clock.pauses).toEqual([]);
  });
});

describe('a line while waiting', () => {
  const pending = { ...verified, status: 'PENDING', isVerifying: true };
  const looks: Answer[] = [
    ...[{ body: [pending] }, { body: pending }, { body: {} }],
    ...Array<Answer>(40).fill({ body: pending }),
  ];
  const line = 'domain verify a.example --wait --wait-timeout 5m';

  test('is written every minute in a pipe, with what is waited for', async () => {
    const { run } = await connected(...looks);
    const { stderr } = await run(line);
    expect(stderr.split('\n').slice(0, 6)).toEqual([
      'a.example: PENDING, being verified',
      ...[1, 2, 3, 4, 5].map(
        (minutes) =>
          `Still waiting after ${minutes} minute${minutes === 1 ? '' : 's'}: a.example: PENDING, being verified`,
      ),
    ]);
  });

  test('is written although no look is due', async () => {
    const { run } = await connected(...looks);
    const { stderr } = await run(`${line} --interval 4m --heartbeat 30s`);
    expect(stderr.match(/^Still waiting after /gm)).toHaveLength(10);
  });

  test('is written while the service is away, which is reported once', async () => {
    const { run } = await connected(...looks.slice(0, 4), ...Array(40).fill(down));
    const { stderr } = await run(`${line} --retries 0`);
    expect(stderr.match(/503: down\. Still waiting\.$/gm)).toHaveLength(1);
    const lines = stderr.match(/^Still waiting after .*$/gm) ?? [];
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (const line of lines) {
      expect(line).toMatch(
        /: the service has been unavailable since 2026-01-15T10:00:\d\d\.\d{3}Z$/,
      );
    }
  });

  test.each([
    ['--heartbeat 0', undefined],
    ['--json', undefined],
    ['--quiet', undefined],
    ['', 80],
  ])('is not written with %j, columns: %s', async (flags, terminal) => {
    const { run } = await connected(...looks);
    const { exitCode, stderr } = await run(`${line} ${flags}`, terminal ? { terminal } : {});
    expect(exitCode).toBe(10);
    expect(stderr).not.toContain('Still waiting after');
  });

  test.each([
    ['--wait --heartbeat often', '--heartbeat: "often" is not a duration'],
    ['--heartbeat 5s', '--heartbeat needs --wait'],
  ])('%s: 2, and nothing is requested', async (flags, message) => {
    for (const command of ['domain verify a.example', 'email get em_1']) {
      const { run, requests } = await connected();
      const outcome = await run(`${command} ${flags} --json`);
      expect(outcome.exitCode).toBe(2);
      expect(errorOf(outcome).message).toBe(message);
      expect(requests()).toEqual([]);
    }
  });
});

test('a last look that the end of the time cuts off is no outage: 10', async () => {
  const running = { body: { id, status: 'RUNNING' } };
  const { run } = await connected(running, () => {});
  const outcome = await run(`campaign watch ${id} --json --wait-timeout 1s --retries 0`);
  expect(outcome.exitCode).toBe(10);
  expect(failureOf(outcome)).not.toHaveProperty('unreachableSince');
});

describe('pauses that the service asks for', () => {
  const start = Date.parse('2026-01-15T10:00:00Z');
  const spent = {
    date: new Date(start).toUTCString(),
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(start / 1000 + 3600),
  };
  const running: Answer = { headers: spent, body: { id, status: 'RUNNING' } };

  test('count against the time of a wait: 10 when it is up, and why', async () => {
    const { run, world, service } = await connected(running, running);
    const outcome = await run(`campaign watch ${id} --wait-timeout 2s`);
    expect(outcome.exitCode).toBe(10);
    expect(world.clock.elapsed).toBe(2000);
    expect(service.requests).toHaveLength(1);
    expect(outcome.stderr).toMatch(
      /^Error: The wait timed out: campaign .* is RUNNING.*\. 127\.0\.0\.1:\d+ asked to wait for 58 s, until 2026-01-15T10:01:00Z: longer than the time limit\.\n/,
    );
  });

  test('are waited for within a longer wait, and said', async () => {
    const { run, world } = await connected(running, { body: { id, status: 'SENT' } });
    const { exitCode, stderr } = await run(`campaign watch ${id} --wait-timeout 5m`);
    expect(exitCode).toBe(0);
    expect(world.clock.elapsed).toBe(60_000);
    expect(stderr).toContain('The service asked to wait for 58 s, until 2026-01-15T10:01:00Z.\n');
  });

  test('count against --timeout where nothing is waited for', async () => {
    const { run, world, service } = await connected({ ...busy, headers: spent });
    const { exitCode, stderr } = await run('domain get a.example');
    expect(exitCode).toBe(6);
    expect(stderr).toContain(
      'Error: Slowly. It asked to wait for 60 s, until 2026-01-15T10:01:00Z.\nHint: Wait, ',
    );
    expect(service.requests).toHaveLength(1);
    expect(world.clock.pauses).toEqual([]);
  });
});
