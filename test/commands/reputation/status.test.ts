import { describe, expect, test } from 'vitest';
import { connected, errorOf, failureOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const healthy = {
  state: 'HEALTHY',
  bounceRate: 1.2345678,
  complaintRate: 0,
  sampleSize: 3000,
  sampleSufficient: true,
  windowDays: 30,
  shortWindowBounceRate: 1.5,
  thresholds: { warning: 0.4, critical: 1, block: 2, unblock: 1.2 },
  distanceToBlock: 2 - 1.2345678,
  blockedAt: null,
  blockedReason: null,
  supervisedUntil: null,
  supervisedDailyLimit: null,
  novel: { kept: true },
};

const shows = (body: object) => ({ body, standing: true }) as const;

test('piped: the figures as the service has them', async () => {
  const { run, requests } = await connected(shows(healthy));
  const { stdout, stderr, exitCode } = await run('reputation status');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^state\tHEALTHY\nbounceRate\t1\.2345678\n/);
  expect(stdout).toContain('\nthresholds.block\t2\n');
  expect(requests()).toEqual(['GET /api/v1/reputation/status']);
});

test('on a terminal: percentages, and the distance in points', async () => {
  const { run } = await connected(shows(healthy));
  const { stdout } = await run('reputation status --no-color', { terminal: 80 });
  expect(stdout).toMatch(/^State +HEALTHY$/m);
  expect(stdout).toMatch(/^Bounce rate +1\.235%$/m);
  expect(stdout).toMatch(/^To blocking +0\.765 percentage points$/m);
  expect(stdout).toMatch(/^Blocked from +2%$/m);
  expect(stdout).not.toMatch(/null|undefined/);
});

test('--json is the unmodified response; --quiet the state', async () => {
  const { run } = await connected(shows(healthy), shows(healthy));
  expect(JSON.parse((await run('reputation status --json')).stdout)).toEqual(healthy);
  expect((await run('reputation status -q')).stdout).toBe('HEALTHY\n');
});

test('on the sandbox: its newest state, and that of the blocked key', async () => {
  const world = createWorld();
  const { stdout } = await world.run('reputation status --sandbox --json');
  expect(JSON.parse(stdout)).toMatchObject({
    state: 'HEALTHY',
    bounceRate: 1.943,
    sampleSize: 3088,
    sampleSufficient: true,
    thresholds: { block: 10 },
    distanceToBlock: 8.057,
    blockedAt: null,
  });
});

describe('--fail-on', () => {
  test.each([
    ['HEALTHY', 9],
    ['blocked,healthy', 9],
    ['BLOCKED CRITICAL', 0],
  ])('%s: %i', async (states, exitCode) => {
    const { run } = await connected(shows(healthy));
    expect((await run(`reputation status --fail-on ${states}`)).exitCode).toBe(exitCode);
  });

  test('shows the result, and why it fails', async () => {
    const { run } = await connected(shows({ ...healthy, state: 'CRITICAL' }));
    const outcome = await run('reputation status --json --fail-on CRITICAL');
    expect(outcome.exitCode).toBe(9);
    expect(failureOf(outcome)).toEqual({
      code: 'wait_failed',
      message: 'The account is CRITICAL.',
    });
    expect(JSON.parse(outcome.stdout)).toMatchObject({ state: 'CRITICAL' });
  });

  test('an unknown state is a usage error', async () => {
    const { run } = await connected(shows(healthy));
    const { exitCode, stderr } = await run('reputation status --fail-on BLOKED');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--fail-on: "BLOKED" is not a known state');
  });

  test('a state that only this service has', async () => {
    const { run } = await connected(shows({ ...healthy, state: 'FROZEN' }));
    expect((await run('reputation status --fail-on frozen')).exitCode).toBe(9);
  });
});

describe('--min-distance', () => {
  const near = { ...healthy, bounceRate: 1.9, distanceToBlock: 2 - 1.9 };

  test.each([
    ['0.1', near, 0],
    ['0.1%', near, 0],
    ['0.2', near, 9],
    // In binary, 10 - 9.9 is slightly less than 0.1.
    ['0.1', { ...healthy, bounceRate: 9.9, distanceToBlock: 10 - 9.9 }, 0],
    ['0.765', healthy, 0],
    ['0.77', healthy, 9],
    ['0', { ...healthy, bounceRate: 3, distanceToBlock: 0 }, 0],
    ['0', { ...healthy, state: 'BLOCKED' }, 9],
    ['0.01', { ...healthy, bounceRate: 3, distanceToBlock: 0 }, 9],
    // Computed if the service does not report it.
    ['1', { ...healthy, distanceToBlock: null }, 9],
    ['0.5', { ...healthy, distanceToBlock: null }, 0],
  ])('%s of %j: %i', async (least, body, exitCode) => {
    const { run } = await connected(shows(body));
    const outcome = await run(`reputation status --min-distance ${least}`);
    expect(outcome.exitCode, outcome.stderr).toBe(exitCode);
  });

  test('reports how near it is', async () => {
    const { run } = await connected(shows(near));
    const { stderr } = await run('reputation status --min-distance 0.5');
    expect(stderr).toBe(
      'Error: The account is 0.1 percentage points from being blocked (bounce rate 1.9%, blocked at 2%); the minimum is 0.5.\n',
    );
  });

  test('a sample that is too small is reported, and is no failure', async () => {
    const body = { ...near, sampleSufficient: false, sampleSize: 12 };
    const { run } = await connected(shows(body));
    const { exitCode, stderr } = await run('reputation status --min-distance 1 -q');
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'Warning: The sample, 12 emails, is too small to judge the bounce rate; --min-distance was not applied.\n',
    );
  });

  test('nor does a service that gives no distance', async () => {
    const { run } = await connected(shows({ state: 'HEALTHY' }));
    const { exitCode, stderr } = await run('reputation status --min-distance 1');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: The service does not report the distance to blocking');
  });

  test.each(['', '-1', '101', '0.5pp', '0,5', '.5', '1e1'])(
    '%j is a usage error',
    async (least) => {
      const { run, requests } = await connected();
      const { exitCode, stderr } = await run(['reputation', 'status', `--min-distance=${least}`]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('is not a number of percentage points, such as 0.5');
      expect(requests()).toEqual([]);
    },
  );
});

test('a service without it: not_offered, and stats instead', async () => {
  const { run } = await connected(
    { status: 404, body: '404 Not Found', standing: true },
    { body: [] },
  );
  const outcome = await run('reputation status --fail-on BLOCKED --json');
  expect(outcome.exitCode).toBe(4);
  expect(errorOf(outcome)).toMatchObject({
    code: 'not_offered',
    message: 'This service does not report the reputation of accounts.',
    status: 404,
    hint: 'For delivered and bounced emails: mailer stats',
  });
});
