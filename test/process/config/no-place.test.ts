import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { linux, type Need, needing } from '../../support/needs.ts';
import { createPlace, type Finished, type Place, startOf } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

/** A user who is in no list of users, as in containers. */
const nobody = ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups'];
/** If root runs the tests: drops root's access to the files of others. */
const plain = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Runs the program as `user`, with nothing in the environment that names a directory. */
async function runAs(
  [file = '', ...user]: readonly string[],
  { env: { PATH = '' } }: Place,
  words: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const { exitCode, signal, stdout, stderr } = await execa(
    file,
    [...user, ...startOf(), ...words.split(' ')],
    {
      cwd: '/',
      env: { PATH, TZ: 'UTC', ...env },
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
    },
  );
  return { exitCode, signal, stdout, stderr };
}

function checksIn(stdout: string): unknown {
  const { checks } = JSON.parse(stdout) as { readonly checks: unknown };
  return checks;
}

function canBeNobody(): boolean {
  const [file = '', ...user] = nobody;
  const words = [...user, ...startOf(), '--version'];
  return platform() === 'linux' && spawnSync(file, words, { env: {} }).status === 0;
}

const becoming: Need = {
  isMet: canBeNobody(),
  why: 'this user cannot become another one, who can run the program',
};

describe('a user without a home directory', needing(becoming), () => {
  test.each([
    ['whoami', 'MAILER_CONFIG_DIR'],
    ['profile list', 'MAILER_CONFIG_DIR'],
    ['config path', 'MAILER_CONFIG_DIR'],
    ['email list --sandbox', 'MAILER_SANDBOX_DIR'],
    ['sandbox status', 'MAILER_SANDBOX_DIR'],
  ])('%s has an error of one line with what to set', async (words, variable) => {
    const ended = await runAs(nobody, createPlace(), words);
    expect(ended).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: `Error: This user has no home directory: set HOME or ${variable}.\n`,
    });
  });

  test('needs none with key and URL in the environment', async () => {
    const service = await startRecorder({ body: [] });
    const env = { MAILER_API_KEY: 'us_0123456789abcdef', MAILER_BASE_URL: service.baseUrl };
    const ended = await runAs(nobody, createPlace(), 'domain list --json', env);
    expect(ended).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
  });

  test.each([{}, { HOME: '' }])(
    'needs none with directories in the environment and %j',
    async (home) => {
      const place = createPlace();
      const directory = join(place.home, 'open');
      mkdirSync(directory);
      chmodSync(place.home, 0o755);
      chmodSync(directory, 0o1777);
      const env = {
        ...home,
        MAILER_CONFIG_DIR: join(directory, 'config'),
        MAILER_SANDBOX_DIR: join(directory, 'sandbox'),
      };
      const set = await runAs(nobody, place, 'config set from a@b.c', env);
      expect(set).toMatchObject({ exitCode: 0 });
      const get = await runAs(nobody, place, 'config get from', env);
      expect(get).toMatchObject({ exitCode: 0, stdout: 'a@b.c\n' });
      const list = await runAs(nobody, place, 'domain list --sandbox --quiet', env);
      expect(list).toMatchObject({ exitCode: 0, stdout: '3\n2\n1\n', stderr: '' });
    },
  );

  test('needs no configuration for the sandbox', async () => {
    const place = createPlace();
    const directory = join(place.home, 'open');
    mkdirSync(directory);
    chmodSync(place.home, 0o755);
    chmodSync(directory, 0o777);
    const env = { MAILER_SANDBOX_DIR: directory };
    const ended = await runAs(nobody, place, 'sandbox status --quiet', env);
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'stopped\n', stderr: '' });
  });

  test('doctor reports it', async () => {
    const { exitCode, stdout } = await runAs(nobody, createPlace(), 'doctor --json');
    expect(exitCode).toBe(2);
    expect(checksIn(stdout)).toContainEqual({
      check: 'config',
      state: 'FAILED',
      detail: 'This user has no home directory: set HOME or MAILER_CONFIG_DIR',
      remedy: 'For example: export MAILER_CONFIG_DIR=/path/to/a/directory',
      code: 'usage',
    });
  });
});

describe('a configuration in a directory', needing(linux), () => {
  /** A configuration with a profile, whose directory or parent directory has this mode. */
  function withMode(mode: number, name: '.' | 'mailer'): Place {
    const place = createPlace();
    const directory = join(place.home, 'base', 'mailer');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, 'config.json'), '{"currentProfile":"a","profiles":{}}\n', {
      mode: 0o600,
    });
    chmodSync(join(place.home, 'base', name), mode);
    return place;
  }

  async function runIn(place: Place, words: string, env: Readonly<Record<string, string>> = {}) {
    const user = plain.length > 0 ? plain : ['env'];
    const base = join(place.home, 'base');
    const ended = await runAs(user, place, words, { HOME: '/', XDG_CONFIG_HOME: base, ...env });
    // Otherwise it could not be deleted.
    chmodSync(base, 0o700);
    return { ...ended, path: join(base, 'mailer', 'config.json') };
  }

  test.each(['.', 'mailer'] as const)('that cannot be entered is an error (%s)', async (name) => {
    for (const words of ['whoami', 'profile list', 'config list']) {
      const { exitCode, stdout, stderr, path } = await runIn(withMode(0o000, name), words);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(`Error: Cannot read ${path}: permission denied.\nHint: `);
    }
  });

  test('that cannot be entered is not needed with key and URL in the environment', async () => {
    const service = await startRecorder({ body: [] });
    const env = { MAILER_API_KEY: 'us_0123456789abcdef', MAILER_BASE_URL: service.baseUrl };
    const ended = await runIn(withMode(0o000, '.'), 'domain list --json', env);
    expect(ended).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
    const named = await runIn(withMode(0o000, '.'), 'domain list --profile a', env);
    expect(named.stderr).toContain(`Cannot read ${named.path}: permission denied.`);
  });

  test.each([
    ['that cannot be entered', 0o000, 'FAILED', 'Cannot read PATH: permission denied'],
    ['that can only be read', 0o500, 'WARNING', 'nothing can be stored in '],
  ])('%s shows in doctor', async (_, mode, state, detail) => {
    const { stdout, path } = await runIn(withMode(mode, 'mailer'), 'doctor --json');
    expect(checksIn(stdout)).toContainEqual({
      check: 'config',
      state,
      detail: expect.stringContaining(detail.replace('PATH', path)),
      remedy: expect.stringContaining('MAILER_CONFIG_DIR'),
      code: state === 'FAILED' ? 'usage' : null,
    });
  });

  test('that is read-only is enough with key and URL in the environment', async () => {
    const service = await startRecorder({ body: [] });
    const env = { MAILER_API_KEY: 'us_0123456789abcdef', MAILER_BASE_URL: service.baseUrl };
    const { stdout } = await runIn(withMode(0o500, '.'), 'doctor --json', env);
    expect(checksIn(stdout)).toContainEqual(
      expect.objectContaining({ check: 'config', state: 'OK' }),
    );
  });
});

test('a sandbox that cannot be stored says where', needing(linux), async () => {
  const place = createPlace();
  const home = join(place.home, 'home');
  mkdirSync(home);
  chmodSync(home, 0o500);
  const user = plain.length > 0 ? plain : ['env'];
  const ended = await runAs(user, place, 'email list --sandbox', { HOME: home });
  expect(ended).toMatchObject({
    exitCode: 2,
    stderr: `Error: Cannot write ${join(home, '.local', 'share', 'mailer', 'sandbox')}: permission denied.\nHint: To use another directory, set MAILER_SANDBOX_DIR.\n`,
  });
  const { stdout } = await runAs(user, place, 'doctor --sandbox --json', { HOME: home });
  const failed = expect.objectContaining({ check: 'directory', state: 'FAILED' });
  expect(checksIn(stdout)).toContainEqual(failed);
});
