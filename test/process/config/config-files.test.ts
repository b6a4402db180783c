import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { linux, needing } from '../../support/needs.ts';
import { createPlace, finished, isExecutable, type Place } from '../../support/process.ts';
import { type Answer, startRecorder } from '../../support/recorder.ts';

// Different in every test: they run at the same time, and one searches all processes for it.
const key = 'us_0123456789_config_files_abcdefghij';
const never: Answer = () => {};
const noDomains: Answer = { body: [] };

/** Stores a key for a service, read from a pipe. */
async function login(place: Place, baseUrl: string, profile: string, input = `${key}\n`) {
  const words = `login --with-token --base-url ${baseUrl} --profile ${profile}`;
  return await place.run(words, { input });
}

function readConfig({ configDirectory }: Place): unknown {
  return JSON.parse(readFileSync(join(configDirectory, 'config.json'), 'utf8'));
}

describe('processes that write at once', () => {
  test('lose no setting', async () => {
    const place = createPlace();
    const settings = {
      from: 'hello@example.com',
      'reply-to': 'help@example.com',
      timezone: 'Europe/Berlin',
      output: 'json',
      timeout: '7',
      retries: '1',
    };
    const ends = await Promise.all(
      Object.entries(settings).map(([name, value]) => place.run(['config', 'set', name, value])),
    );
    for (const { exitCode, stderr } of ends) {
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    expect(readConfig(place)).toMatchObject({ profiles: { default: { settings } } });
  });

  test('lose no login', async () => {
    const place = createPlace();
    const service = await startRecorder(...Array.from({ length: 8 }, () => noDomains));
    const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
    const ends = await Promise.all(
      names.map((name) => login(place, service.baseUrl, name, `us_key_of_${name}_0123456789\n`)),
    );
    for (const { exitCode, stderr } of ends) {
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    }
    const stored = names.map((name) => [name, { apiKey: `us_key_of_${name}_0123456789` }]);
    expect(readConfig(place)).toMatchObject({ profiles: Object.fromEntries(stored) });
  });
});

describe('a login from a pipe', () => {
  test('stores a tested key, and shows none of it', async () => {
    const place = createPlace();
    const service = await startRecorder(noDomains);
    const { exitCode, stdout, stderr } = await login(place, service.baseUrl, 'work');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'work\n' });
    expect(stderr).toContain('Stored the key as profile work');
    expect(stderr).not.toContain(key.slice(-4));
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    const profile = { baseUrl: service.baseUrl, apiKey: key };
    expect(readConfig(place)).toEqual({ currentProfile: 'work', profiles: { work: profile } });
  });

  test('stores nothing if the service rejects the key', async () => {
    const place = createPlace();
    const error = { code: 'FORBIDDEN', message: `Invalid API token ${key}` };
    const service = await startRecorder({ status: 403, body: { error } });
    const { exitCode, stdout, stderr } = await login(place, service.baseUrl, 'work');
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('Nothing was stored.');
    expect(stderr).not.toContain(key);
    expect(globSync('**/config.json', { cwd: place.configDirectory })).toEqual([]);
  });
});

describe('others on the machine', needing(linux), () => {
  test('cannot read a file with the key, whatever the umask', async () => {
    const place = createPlace();
    const service = await startRecorder(noDomains, noDomains);
    const env = { XDG_CACHE_HOME: join(place.home, 'cache') };
    const line = `umask 000
      mailer login --with-token --base-url ${service.baseUrl} && mailer domain list && umask`;
    const { stdout } = await finished(place.shell(line, { env, input: key }));
    expect(stdout).toContain('0000\n');
    const files = globSync('**', { cwd: place.home, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    // An executable contains compiled code already.
    const compiled = files.filter((file) => file.includes(join('cache', 'mailer', 'compiled')));
    expect(compiled.length > 0).toBe(!isExecutable);
    const holding = files.filter((file) => readFileSync(file, 'latin1').includes(key));
    expect(holding).toEqual([join(place.configDirectory, 'config.json')]);
    expect(statSync(holding[0] ?? '').mode & 0o777).toBe(0o600);
    expect(statSync(place.configDirectory).mode & 0o777).toBe(0o700);
  });

  test('do not see the key in a list of processes, stored or printed by a command', async () => {
    const place = createPlace({ MARKER: 'marker-of-this-test' });
    const service = await startRecorder(noDomains, noDomains, never, never);
    await login(place, service.baseUrl, 'stored');
    const file = join(place.home, 'key.txt');
    await finished(place.shell(`umask 077; cat > "${file}"`, { input: key }));
    const command = ['login', '--profile', 'command', '--base-url', service.baseUrl];
    await place.run([...command, '--key-command', `cat "${file}"`]);

    place.start('domain list --profile stored');
    place.start('domain list --profile command');
    await vi.waitFor(() => expect(service.requests).toHaveLength(4), { timeout: 20_000 });
    const sent = service.requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${key}`]));
    const processes = processList();
    // Both programs are in the list, environment and all.
    expect(processes.filter((text) => text.includes('marker-of-this-test'))).toHaveLength(2);
    expect(processes.filter((text) => text.includes(key))).toEqual([]);
  });
});

/** What others can read about each process: its arguments and its environment. */
function processList(): string[] {
  return globSync('[0-9]*', { cwd: '/proc' }).map((pid) => {
    try {
      return ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`)).join('\n');
    } catch {
      // The process has ended, or belongs to another user.
      return '';
    }
  });
}

describe('which account is used', () => {
  test('a profile in a flag overrides the environment, with a note', async () => {
    const place = createPlace();
    const work = await startRecorder(noDomains, noDomains, noDomains);
    const other = await startRecorder(noDomains, noDomains);
    await login(place, work.baseUrl, 'work');
    const env = { MAILER_API_KEY: 'us_other', MAILER_BASE_URL: other.baseUrl };
    const warning =
      'Warning: MAILER_API_KEY and MAILER_BASE_URL are ignored: --profile work takes precedence.\n';

    const byFlag = await place.run('domain list --profile work --quiet', { env });
    expect(byFlag).toMatchObject({ exitCode: 0, stdout: '', stderr: warning });
    const json = await place.run('domain list --profile work --json', { env });
    expect(json).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: warning });
    expect(work.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
    expect(other.requests).toHaveLength(0);

    // If the environment names it, it does not.
    const byEnv = { ...env, MAILER_PROFILE: 'work' };
    expect((await place.run('domain list --quiet', { env: byEnv })).exitCode).toBe(0);
    expect(other.requests.at(-1)?.headers.authorization).toBe('Bearer us_other');
    expect(work.requests).toHaveLength(3);
  });

  test('a flag overrides the environment, and an empty value is absent', async () => {
    const one = await startRecorder(noDomains);
    const two = await startRecorder(noDomains);
    const place = createPlace({ MAILER_API_KEY: 'us_key', MAILER_BASE_URL: one.baseUrl });
    await place.run(['domain', 'list', '--base-url', two.baseUrl]);
    expect([one.requests.length, two.requests.length]).toEqual([0, 1]);
    await place.run(['domain', 'list', '--base-url', '']);
    expect([one.requests.length, two.requests.length]).toEqual([1, 1]);
  });
});
