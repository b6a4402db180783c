import { describe, expect, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

const day = 24 * 3_600_000;
const send = 'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi';

describe('sandbox advance', () => {
  test('advances the clock and prints what happened', async () => {
    const world = createWorld();
    const scheduledAt = '2026-01-15T12:00:00Z';
    await world.run([...send.split(' '), '--text', 'x', '--scheduled-at', scheduledAt]);
    const { exitCode, stdout, stderr } = await world.run('sandbox advance 1d --json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      from: '2026-01-15T10:00:00.000Z',
      now: '2026-01-16T10:00:00.000Z',
      emails: 1,
      events: 2,
      campaigns: 0,
      contacts: 0,
      domains: 0,
      idempotencyKeys: 1,
    });
    const list = await world.run('email list --sandbox --fields latestStatus,subject');
    expect(list.stdout).toContain('DELIVERED\tHi\n');
  });

  test.each([
    ['30m', '2026-01-15T10:30:00.000Z'],
    ['2h', '2026-01-15T12:00:00.000Z'],
    ['1d 12h', '2026-01-16T22:00:00.000Z'],
    ['1d12h', '2026-01-16T22:00:00.000Z'],
    ['90', '2026-01-15T10:01:30.000Z'],
    ['400d', '2027-02-19T10:00:00.000Z'],
  ])('accepts %s', async (words, now) => {
    const { exitCode, stdout } = await createWorld().run(`sandbox advance ${words} --quiet`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${now}\n` });
  });

  test.each(['0d', '-- -1d', 'tomorrow', '1x', '9000000d'])(
    '%s is an error, and the clock does not change',
    async (words) => {
      const world = createWorld();
      const { exitCode, stdout, stderr } = await world.run(`sandbox advance ${words}`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^Error: /);
      const status = await world.run('sandbox status --json');
      expect(JSON.parse(status.stdout)).toMatchObject({ aheadMs: 0 });
    },
  );

  test('without a duration is a usage error', async () => {
    expect(await createWorld().run('sandbox advance')).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('with the clock of the sandbox ahead', () => {
  async function ahead() {
    const world = createWorld();
    await world.run('sandbox advance 1d');
    return world;
  }

  test('times are read by it', async () => {
    const world = await ahead();
    const words = [...send.split(' '), '--text', 'x', '--quiet', '--scheduled-at'];
    const sent = await world.run([...words, 'in 2 hours']);
    expect(sent).toMatchObject({ exitCode: 0 });
    const list = await world.run('email list --sandbox --fields id,scheduledAt');
    expect(list.stdout).toContain(`${sent.stdout.trim()}\t2026-01-16T12:00:00.000Z`);
  });

  test('times before it are errors', async () => {
    const world = await ahead();
    const time = '2026-01-15T12:00:00Z';
    const words = [...send.split(' '), '--text', 'x', '--scheduled-at', time];
    expect(await world.run(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is in the past'),
    });
    expect(await world.run([...words, '--allow-past'])).toMatchObject({ exitCode: 0 });
  });

  test('times are relative to it', async () => {
    const world = await ahead();
    await world.run([...send.split(' '), '--text', 'x']);
    const list = await world.run('email list --sandbox', { terminal: 120 });
    expect(list.stdout).toMatch(/ana@example\.org.*just now.*\n.*1 day ago.*\n.*3 days ago/);
    const since = await world.run('email list --sandbox --since 1h --quiet');
    expect(since.stdout.split('\n')).toHaveLength(2);
  });

  test('other services are not affected', async () => {
    const world = await ahead();
    const words = [...send.replace(' --sandbox', '').split(' '), '--text', 'x', '--dry-run'];
    const dry = await world.run([...words, '--json', '--scheduled-at', 'in 2 hours']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ body: { scheduledAt: '2026-01-15T12:00:00Z' } });
  });

  test('status shows it', async () => {
    const world = await ahead();
    const { stdout } = await world.run('sandbox status --json');
    expect(JSON.parse(stdout)).toMatchObject({ now: '2026-01-16T10:00:00.000Z', aheadMs: day });
    const shown = await world.run('sandbox status', { terminal: 100 });
    expect(shown.stdout).toContain('Clock');
    expect(shown.stderr).toContain('Its clock is 1 day ahead of the real time.');
  });

  test('reset sets it to the real time', async () => {
    const world = await ahead();
    await world.run('sandbox reset --yes');
    const shown = await world.run('sandbox status', { terminal: 100 });
    expect(shown.stdout).not.toContain('Clock');
    expect(shown.stderr).toBe('');
  });
});

test('status shows the clock without creating data', async () => {
  const world = createWorld();
  const { stdout } = await world.run('sandbox status --json');
  expect(JSON.parse(stdout)).toMatchObject({ bytes: 0, aheadMs: 0 });
  const again = await world.run('sandbox status --json');
  expect(JSON.parse(again.stdout)).toMatchObject({ bytes: 0 });
});

describe('sandbox start --clock', () => {
  /** Stderr of a server that is stopped once it has started. */
  async function started(world: ReturnType<typeof createWorld>, words: string | readonly string[]) {
    const all = typeof words === 'string' ? words.split(' ') : words;
    const line = ['sandbox', 'start', '--port', '0', ...all].filter((word) => word !== '');
    return await world.run(line, { until: 'MAILER_API_KEY' });
  }

  test('sets the clock, which is kept', async () => {
    const world = createWorld();
    const first = await started(world, '--clock 2026-01-01T00:00:00Z');
    expect(first.stderr).toContain(
      'Its clock is 14 days behind the real time: Thu 1 Jan 2026, 00:00 GMT (2026-01-01T00:00:00Z).',
    );
    expect(first.stderr).not.toContain('set back');
    // No warning about what the user asked for.
    expect(first.stderr).not.toContain('Warning');
    world.clock.advance(3_600_000);
    const status = await world.run('sandbox status --json');
    expect(JSON.parse(status.stdout)).toMatchObject({ now: '2026-01-01T01:00:00.000Z' });
    const list = await world.run('email list --sandbox --quiet --since 2026-01-01T00:00:00Z');
    expect(list.stdout).toBe('');
    const again = await started(world, '');
    expect(again.stderr).toContain('Warning: Its clock is 14 days behind the real time');
    expect(again.stderr).toContain('start --clock now');
    expect((await started(world, ['--clock', 'now'])).stderr).not.toContain('clock');
  });

  test('warns if it is set back, but not with --reset', async () => {
    const world = createWorld();
    await world.run('sandbox advance 2d');
    const back = await started(world, ['--clock', 'in 1 day']);
    expect(back.stderr).toContain('Its clock was set back by 1 day.');
    const fresh = await started(world, ['--reset', '--clock', '2026-01-01']);
    expect(fresh.stderr).not.toContain('set back');
  });

  test('an invalid time is an error before anything is deleted', async () => {
    const world = createWorld();
    await world.run([...send.split(' '), '--text', 'x']);
    const { exitCode, stderr } = await started(world, '--reset --clock soon');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--clock: "soon" is not a time'),
    });
    const list = await world.run('email list --sandbox --quiet');
    expect(list.stdout.split('\n')).toHaveLength(4);
  });
});
