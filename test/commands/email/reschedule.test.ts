import { describe, expect, test } from 'vitest';
import { connected, errorOf, key } from '../../support/connected.ts';
import { createWorld, type World } from '../../support/run.ts';

const accepted = { body: { emailId: 'em_1' } };

/** The id of an email in the sandbox, scheduled for this time. */
async function scheduled(world: World, when: string): Promise<string> {
  const { stdout } = await world.run([
    ...['email', 'send', '--sandbox', '--to', 'ana@example.org', '--from', 'hello@example.com'],
    ...['--subject', 'Later', '--text', 'Hello', '--scheduled-at', when],
  ]);
  return stdout.trim();
}

describe('the request', () => {
  test.each([
    [['2026-02-01T09:00:00Z'], '2026-02-01T09:00:00Z'],
    [['2026-02-01T09:00:00+02:00'], '2026-02-01T07:00:00Z'],
    [['next monday 10:30', '--timezone', 'Europe/Berlin'], '2026-01-19T09:30:00Z'],
    [['in 2 hours'], '2026-01-15T12:00:00Z'],
    [['2026-01-01T00:00:00Z', '--allow-past'], '2026-01-01T00:00:00Z'],
  ])('%j is sent as %s', async (flags, scheduledAt) => {
    const { run, service, sent } = await connected(accepted);
    const outcome = await run(['email', 'reschedule', 'em_1', '--scheduled-at', ...flags]);
    expect(outcome.exitCode).toBe(0);
    expect(outcome.stderr).toMatch(
      flags.includes('--allow-past') ? /at once: .* is in the past\.\n$/ : /^Scheduled for /,
    );
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.method).toBe('PATCH');
    expect(request?.path).toBe('/api/v1/emails/em_1');
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    });
    expect(request?.headers).not.toHaveProperty('idempotency-key');
    expect(sent(0)).toEqual({ scheduledAt });
  });

  test('an id is percent-encoded', async () => {
    const { run, service } = await connected(accepted);
    await run(['email', 'reschedule', 'é&=+:@', '--scheduled-at', 'tomorrow']);
    expect(service.requests[0]?.path).toBe('/api/v1/emails/%C3%A9%26%3D%2B%3A%40');
  });

  test('--dry-run sends nothing and shows the request', async () => {
    const { run, service } = await connected();
    const line = 'email reschedule em_1 --scheduled-at 2026-02-01T09:00:00Z --dry-run --json';
    expect(JSON.parse((await run(line)).stdout)).toMatchObject({
      method: 'PATCH',
      url: `${service.baseUrl}/v1/emails/em_1`,
      body: { scheduledAt: '2026-02-01T09:00:00Z' },
    });
    expect(service.requests).toEqual([]);
  });
});

describe('with the sandbox', () => {
  test('the email is sent at the new time and not before', async () => {
    const world = createWorld();
    const id = await scheduled(world, 'in 1 hour');
    const moved = await world.run([
      'email',
      'reschedule',
      id,
      '--scheduled-at',
      'in 3 hours',
      '--sandbox',
    ]);
    expect(moved.stdout).toBe(`${id}\n`);
    expect(moved.stderr).toMatch(/^Scheduled for .*13:00.*2026-01-15T13:00:00Z/);
    world.clock.advance(2 * 3_600_000);
    const get = () => world.run(`email get ${id} --sandbox --json --fields emailEvents.createdAt`);
    const times = async () => JSON.parse((await get()).stdout).emailEvents.createdAt.sort();
    expect(await times()).toEqual([]);
    world.clock.advance(3_600_000 + 5000);
    expect(await times()).toEqual(['2026-01-15T13:00:00.300Z', '2026-01-15T13:00:01.000Z']);
  });

  test('an email that was sent is rejected', async () => {
    const world = createWorld();
    const line = 'email reschedule email_receipt --scheduled-at tomorrow --sandbox --json';
    const outcome = await world.run(line);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome)).toMatchObject({
      code: 'rejected',
      status: 400,
      apiCode: 'BAD_REQUEST',
    });
  });

  test('an unknown id is not found', async () => {
    const outcome = await createWorld().run(
      'email reschedule none_1 --scheduled-at tomorrow --sandbox',
    );
    expect(outcome.exitCode).toBe(4);
  });
});

describe('bad input', () => {
  test.each([
    [['em_1'], /--scheduled-at/],
    [['em_1', '--scheduled-at', 'yesterday'], /--scheduled-at: "yesterday" is in the past/],
    [['em_1', '--scheduled-at', '2026-01-15T09:59:59Z'], /"2026-01-15T09:59:59Z" is in the past/],
    [['em_1', '--scheduled-at', '25:99'], /"25:99"/],
    [['../../x', '--scheduled-at', 'tomorrow'], /"\.\.\/\.\.\/x"/],
    [['..', '--scheduled-at', 'tomorrow'], /"\.\."/],
    [['a/b', '--scheduled-at', 'tomorrow'], /"a\/b"/],
    [['a?b', '--scheduled-at', 'tomorrow'], /"a\?b"/],
    [['--scheduled-at', 'tomorrow'], /Missing ID/],
  ])('%j', async (words, said) => {
    const { run, service } = await connected();
    const outcome = await run(['email', 'reschedule', ...words, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toMatch(said);
    expect(service.requests).toEqual([]);
  });
});

test('- is an error that says how to change several', async () => {
  const { run, service } = await connected();
  const outcome = await run('email reschedule - --scheduled-at 2h', { stdin: 'em_1\n' });
  expect(outcome).toMatchObject({ exitCode: 2 });
  expect(outcome.stderr).toContain('email reschedule takes one id');
  expect(outcome.stderr).toContain('xargs -n 1 mailer email reschedule');
  expect(service.requests).toEqual([]);
});
