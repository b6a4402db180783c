import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { linux, needing, notWindows } from '../../support/needs.ts';
import {
  createPlace,
  type Finished,
  type Place,
  temporaryDirectory,
} from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

/** Milliseconds after which a process counts as waiting forever. */
const patience = 15_000;

/** Replaces whatever is there by a named pipe. */
function pipeAt(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  execFileSync('mkfifo', ['-m', '600', path]);
}

/** Runs the program; kills it if it does not end by itself, and then has no exit code. */
async function run(
  place: Place,
  words: string | readonly string[],
  env: Record<string, string> = {},
): Promise<Finished> {
  const started = place.start(words, { env });
  const timer = setTimeout(() => started.kill('SIGKILL'), patience);
  const { exitCode, signal, stdout, stderr } = await started;
  clearTimeout(timer);
  return { exitCode, signal, stdout, stderr };
}

function profile(baseUrl: string): string {
  const profiles = { default: { baseUrl, apiKey: 'us_0123456789abcdefghij' } };
  return `${JSON.stringify({ currentProfile: 'default', profiles })}\n`;
}

describe('not regular files', needing(notWindows), () => {
  test.each(['config list', 'config set from a@example.com', 'domain list', 'logout'])(
    'a pipe as the configuration: %s',
    async (words) => {
      const place = createPlace();
      const path = join(place.configDirectory, 'config.json');
      pipeAt(path);
      const { exitCode, stdout, stderr } = await run(place, words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toBe(
        `Error: Cannot read ${path}: it is a named pipe, not a file.\nHint: Remove it, or set another directory in MAILER_CONFIG_DIR.\n`,
      );
    },
  );

  test('a pipe as the configuration, at TAB and for doctor', async () => {
    const place = createPlace();
    pipeAt(join(place.configDirectory, 'config.json'));
    expect(await run(place, '__complete fish domain get x')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const { exitCode, stdout } = await run(place, 'doctor');
    expect(exitCode).toBe(2);
    expect(stdout).toContain('config.json: it is a named pipe, not a file');
  });

  test('an endless device as the configuration', async () => {
    const place = createPlace();
    mkdirSync(place.configDirectory, { mode: 0o700 });
    const path = join(place.configDirectory, 'config.json');
    symlinkSync('/dev/zero', path);
    for (const words of ['profile list', 'config set from a@example.com']) {
      const { exitCode, stderr } = await run(place, words);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`Cannot read ${path}: it is a device, not a file.`),
      });
    }
  });

  test('a pipe as the lock of the configuration', async () => {
    const place = createPlace();
    const path = join(place.configDirectory, 'config.lock');
    pipeAt(path);
    const { exitCode, stderr } = await run(place, 'config set from a@example.com');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${path}: it is a named pipe, not a file.`),
    });
  });

  test.each(['config.lock-journal', 'config.lock-wal'])(
    'a pipe as %s delays nobody',
    async (name) => {
      const place = createPlace();
      pipeAt(join(place.configDirectory, name));
      const ended = await run(place, 'config set from a@example.com');
      expect(ended).toMatchObject({ exitCode: 0, signal: undefined });
    },
  );

  test('a pipe in the completion cache', async () => {
    const domain = { id: 1, name: 'example.com', teamId: 1, status: 'SUCCESS', publicKey: '' };
    const times = { createdAt: '2026-01-15T08:00:00Z', updatedAt: '2026-01-15T08:00:00Z' };
    const answer = { body: [{ ...domain, ...times, dnsRecords: [] }] };
    const service = await startRecorder(answer, answer);
    const place = createPlace({ XDG_CACHE_HOME: temporaryDirectory() });
    mkdirSync(place.configDirectory, { mode: 0o700 });
    const path = join(place.configDirectory, 'config.json');
    writeFileSync(path, profile(service.baseUrl), { mode: 0o600 });
    await run(place, ['__complete', 'fish', 'domain', 'get', '']);
    const cache = join(place.env.XDG_CACHE_HOME ?? '', 'mailer', 'completion');
    const [kept = ''] = readdirSync(cache);
    pipeAt(join(cache, kept));
    const { stdout } = await run(place, ['__complete', 'fish', 'domain', 'get', '']);
    expect(stdout).toContain('example.com');
    expect(service.requests).toHaveLength(2);
  });

  test.each(['domain list --sandbox', 'sandbox export', 'sandbox reset --yes', 'sandbox status'])(
    'a pipe as the data of the sandbox: %s',
    async (words) => {
      const place = createPlace();
      await runHere(place, 'sandbox reset --yes');
      const [name = ''] = readdirSync(place.sandboxDirectory).filter((one) =>
        one.endsWith('.sqlite'),
      );
      const path = join(place.sandboxDirectory, name);
      pipeAt(path);
      const ended = await run(place, words);
      expect(ended.signal).toBeUndefined();
      if (words === 'sandbox status') return;
      expect(ended).toMatchObject({
        exitCode: 2,
        stderr: `Error: Cannot write ${path}: it is a named pipe, not a file.\nHint: To use another directory, set MAILER_SANDBOX_DIR.\n`,
      });
    },
  );

  test('a pipe as the note of a sandbox that runs', async () => {
    const place = createPlace();
    await runHere(place, 'sandbox reset --yes');
    pipeAt(join(place.sandboxDirectory, 'running.json'));
    expect(await run(place, 'sandbox status --quiet')).toMatchObject({ stdout: 'stopped\n' });
  });

  test.each([
    ['journal.sqlite', '*/journal.sqlite'],
    ['note', '*/run.json'],
    ['lock', 'locks/*'],
  ])('a pipe as the %s of a run', async (name, pattern) => {
    const place = createPlace();
    const service = await startRecorder(...Array.from({ length: 3 }, () => ({ status: 503 })));
    const row = { to: 'ana@example.org', from: 'b@example.com', subject: 'Hi', text: 'Hello' };
    writeFileSync(join(place.home, 'rows.json'), JSON.stringify([row]));
    const env = {
      MAILER_STATE_DIR: place.home,
      MAILER_API_KEY: 'us_0123456789abcdefghij',
      MAILER_BASE_URL: service.baseUrl,
    };
    await run(place, 'email batch rows.json --yes --retries 0', env);
    const runs = join(place.home, 'runs');
    const [path = ''] = globSync(pattern, { cwd: runs });
    pipeAt(join(runs, path));
    const ended = await run(place, 'email batch rows.json --yes --retries 0', env);
    // A run also works without the note.
    expect(ended.exitCode).toBe(name === 'note' ? 7 : 2);
    const problem = `Cannot write ${join(runs, path)}: it is a named pipe, not a file.\nHint: Remove it`;
    if (name !== 'note') expect(ended.stderr).toContain(problem);
  });
});

describe('a home directory in which nothing can be created', needing(linux), () => {
  test.each([
    ['config set from a@example.com', '/proc/.config/mailer/config.json'],
    ['email list --sandbox', '/proc/.local'],
    ['email batch rows.json --sandbox', '/proc/.local'],
  ])('is an error: %s', async (words, path) => {
    const place = createPlace();
    const row = { to: 'ana@example.org', from: 'b@example.com', subject: 'Hi', text: 'Hello' };
    writeFileSync(join(place.home, 'rows.json'), JSON.stringify([row]));
    const env = { HOME: '/proc', MAILER_CONFIG_DIR: '', MAILER_SANDBOX_DIR: '' };
    const { exitCode, signal, stderr } = await run(place, words, env);
    expect({ exitCode, signal, stderr }).toMatchObject({
      exitCode: 2,
      signal: undefined,
      stderr: expect.stringContaining(`Cannot write ${path}`),
    });
  });
});
