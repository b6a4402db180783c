import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { patience } from '../../../support/patience.ts';
import { createWorld, type RunOptions } from '../../../support/run.ts';
import { serveIn } from '../../../support/serving.ts';

/** What `sandbox start` prints until Ctrl-C, which is pressed once stdout has this. */
async function printed(flags = '', { until = '\n', ...options }: RunOptions = {}) {
  return await createWorld().run(`sandbox start --port 0 ${flags}`, { until, ...options });
}

test('is its URL as one line of JSON', async () => {
  const world = createWorld();
  const { url, baseUrl, port, apiKey, stop } = await serveIn(world);
  expect(port).toBeGreaterThan(0);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(baseUrl).toBe(`${url}/api`);
  const { exitCode, stdout, stderr } = await stop();
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toEqual({ url, baseUrl, port, apiKey });
  expect(stdout.split('\n')).toEqual([expect.any(String), '']);
  const directory = join(world.home, '.local', 'share', 'mailer', 'sandbox');
  expect(stderr).toBe(
    `The sandbox is running; its data is in ${directory}.\nInbox: ${url}\nCtrl-C stops it.\n`,
  );
});

test('is lines that a shell can run', async () => {
  const { stdout } = await printed('', { until: 'MAILER_API_KEY' });
  expect(stdout).toMatch(/^export MAILER_BASE_URL=\S+\nexport MAILER_API_KEY=\S+\n$/);
  const show = 'printf "%s %s" "$MAILER_BASE_URL" "$MAILER_API_KEY"';
  const shell = await execa('sh', ['-c', `${stdout}sh -c '${show}'`], { extendEnv: false });
  expect(shell.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api us_sandbox_local$/);
});

test('is lines for PowerShell in PowerShell', async () => {
  const { stdout } = await printed('', {
    until: 'MAILER_API_KEY',
    env: { SHELL: '/usr/bin/pwsh' },
  });
  expect(stdout).toMatch(/^\$env:MAILER_BASE_URL = 'http\S+'\n\$env:MAILER_API_KEY = '\S+'\n$/);
});

test('is at last what the two lines are for', async () => {
  const { stderr } = await createWorld().run(
    [
      ...['sandbox', 'start', '--port', '0', '--clock', '2026-01-01'],
      ...['--fault', 'GET /v1/domains 503', '--host', '0.0.0.0'],
    ],
    { until: 'MAILER_API_KEY' },
  );
  expect(stderr.split('\n').slice(0, 6)).toEqual([
    expect.stringMatching(/^The sandbox is running; /),
    expect.stringMatching(/^Inbox: http:\/\/127\.0\.0\.1:\d+$/),
    expect.stringMatching(/^Warning: 0\.0\.0\.0 is not loopback/),
    expect.stringMatching(/^Its clock is /),
    expect.stringMatching(/^Faults are on: /),
    'To use it from another terminal, run these two lines there. Ctrl-C stops it.',
  ]);
});

test('is, with data of its own, a line that leads mailer to it, too', async () => {
  const { stdout, stderr } = await printed('--temporary', { until: 'MAILER_SANDBOX_DIR' });
  const [, directory = ''] = /data is in (.+)\.$/m.exec(stderr) ?? [];
  expect(stdout).toContain(`export MAILER_SANDBOX_DIR=${directory}\n`);
  expect(stderr).toContain('run these three lines there');
  expect(existsSync(directory)).toBe(false);
});

test('is nothing but its URL with --quiet, on a terminal, too', async () => {
  const world = createWorld();
  const ctrlC = new AbortController();
  let text = '';
  const ended = world.run('sandbox start --port 0 --quiet', {
    terminal: 80,
    signal: ctrlC.signal,
    written: (piece) => {
      text += String(piece);
    },
  });
  await vi.waitFor(() => expect(text).toMatch(/^http:\S+\/api\n$/), patience);
  const baseUrl = text.trim();
  await fetch(`${baseUrl}/v1/domains`);
  // The next request is printed after this one.
  await fetch(`${baseUrl}/v1/domains`);
  const { stdout } = await world.run('sandbox logs -q');
  expect(stdout).toBe('GET /api/v1/domains\n'.repeat(2));
  ctrlC.abort(new Error('Ctrl-C'));
  await ended;
  expect(text).not.toContain('/v1/domains');
});

describe('has an error', () => {
  const message = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';

  test('for a port in use, does not disturb its server, and deletes nothing', async () => {
    const world = createWorld();
    const { port, url, baseUrl } = await serveIn(world);
    await world.run(`email send --sandbox ${message} --quiet`);
    const second = await world.run(
      `sandbox start --port ${port} --json --reset --clock 2030-01-01T00:00:00Z`,
    );
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(second.stderr)).toMatchObject({
      error: { code: 'usage', message: `Cannot listen on 127.0.0.1:${port}: the port is in use` },
    });
    const status = await world.run('sandbox status --json');
    expect(JSON.parse(status.stdout)).toMatchObject({ running: true, url, baseUrl, aheadMs: 0 });
    expect((await world.run('email list --sandbox --fields subject')).stdout).toContain('Hi\n');
  });

  test('for an SMTP port in use, before anything is deleted', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const { port } = Object(taken.address());
    const world = createWorld();
    await world.run(`email send --sandbox ${message} --quiet`);
    const { exitCode, stderr } = await world.run(
      `sandbox start --port 0 --smtp-port ${port} --reset`,
    );
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `Error: Cannot listen on 127.0.0.1:${port}: the port is in use\nHint: Another program is listening there, perhaps another sandbox. --smtp-port 0 takes any free port.\n`,
    });
    expect((await world.run('email list --sandbox --fields subject')).stdout).toContain('Hi\n');
  });

  test('if its data cannot be opened', async () => {
    const env = { MAILER_SANDBOX_DIR: '/dev/null' };
    expect(await printed('', { env })).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('Cannot write /dev/null: '),
    });
  });

  test('for an address that is not of this machine', async () => {
    const { exitCode, stderr } = await printed('--host 192.0.2.1');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Cannot listen on 192.0.2.1');
    expect(stderr).toContain('Hint: --host is an address of this machine');
    expect(stderr).not.toContain('--port');
  });

  test.each(['http://mail', 'mail:4100', 'a/b', '', 'a@b', '*'])(
    'for --allow-host %j',
    async (name) => {
      const words = ['sandbox', 'start', '--port', '0', '--allow-host', name];
      const { exitCode, stdout, stderr } = await createWorld().run(words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain('--allow-host');
    },
  );
});
