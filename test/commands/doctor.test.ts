import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes, InterruptedError } from '../../src/lib/base/errors.ts';
import { failureOf, key } from '../support/connected.ts';
import { needing, notWindows } from '../support/needs.ts';
import { type Answer, startRecorder, startUndescribed } from '../support/recorder.ts';
import { createWorld, type Outcome, type World } from '../support/run.ts';
import { configOf, worldWith } from '../support/stored-profiles.ts';
import { shortLimit } from '../support/time-limits.ts';

interface Check {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
  readonly remedy: string | null;
  readonly code: string | null;
}

const now = new Date('2026-01-15T10:00:00Z').toUTCString();
/** The service's response to the only request. */
const fine: Answer = { body: [], headers: { date: now } };
const refusal = (status: number, message: string): Answer => ({
  status,
  headers: { date: now },
  body: { error: { code: 'X', message } },
});

/** A world whose profile `default` uses a recorder. */
async function loggedIn(...answers: readonly Answer[]) {
  const service = await startUndescribed(...answers);
  const { baseUrl } = service;
  const world = await worldWith({ default: { baseUrl, apiKey: key } }, 'default');
  return { world, service, baseUrl };
}

function checksOf({ stdout }: Pick<Outcome, 'stdout'>): Check[] {
  return JSON.parse(stdout).checks;
}

/**
 * The checks of `mailer doctor --json` by name, and the exit code. Expects only the failure on
 * stderr, if any.
 */
async function examined(world: World, words = '', env: Record<string, string> = {}) {
  const outcome = await world.run(`doctor --json ${words}`, { env });
  if (outcome.exitCode === 0) expect(outcome.stderr).toBe('');
  else expect(exitCodes[failureOf(outcome).code]).toBe(outcome.exitCode);
  expect(outcome.stdout).not.toContain(key);
  const checks = checksOf(outcome);
  const state = Object.fromEntries(checks.map((one) => [one.check, one.state]));
  const of = (name: string) => checks.find(({ check }) => check === name);
  return { exitCode: outcome.exitCode, state, of };
}

const allFine = {
  node: 'OK',
  config: 'OK',
  key: 'OK',
  url: 'OK',
  dns: 'SKIPPED',
  tls: 'SKIPPED',
  proxy: 'OK',
  clock: 'OK',
  features: 'SKIPPED',
};

describe('a healthy account', () => {
  test('piped: a line for each check, in the order of the chain', async () => {
    const { world, baseUrl, service } = await loggedIn(fine);
    const { exitCode, stdout, stderr } = await world.run('doctor');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'All checks passed.\n' });
    const version = /mailer (\S+) /.exec(stdout)?.[1];
    expect(stdout.split('\n')).toEqual([
      'check\tstate\tdetail\tremedy\tcode',
      `node\tOK\tNode ${process.versions.node} runs mailer ${version} (${process.execPath})\t\t`,
      `config\tOK\tprofile default in ${configOf(world).path}\t\t`,
      'key\tOK\t**** (profile default), accepted\t\t',
      `url\tOK\t${baseUrl} (profile default)\t\t`,
      'dns\tSKIPPED\t127.0.0.1 is an address\t\t',
      'tls\tSKIPPED\tNot used: the URL is plain http\t\t',
      'proxy\tOK\tNone: the host is this machine\t\t',
      "clock\tOK\tWithin a minute of the service's\t\t",
      'features\tSKIPPED\tNot known, as the service does not describe its API\t\t',
      '',
    ]);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/domains',
    ]);
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  test('--json is one document', async () => {
    const { world, baseUrl } = await loggedIn(fine);
    const { stdout } = await world.run('doctor --json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, checks: expect.any(Array) });
    expect(Object.keys(JSON.parse(stdout))).toEqual(['ok', 'checks']);
    expect(JSON.parse(stdout).checks[3]).toEqual({
      check: 'url',
      state: 'OK',
      detail: `${baseUrl} (profile default)`,
      remedy: null,
      code: null,
    });
  });

  test('--quiet prints nothing', async () => {
    const { world } = await loggedIn(fine);
    expect(await world.run('doctor -q')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('--jsonl, --csv and --fields', async () => {
    const { world } = await loggedIn(fine, fine, fine);
    const lines = (await world.run('doctor --jsonl')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).check)).toEqual(Object.keys(allFine));
    const { stdout } = await world.run('doctor --csv --fields check,state');
    expect(stdout).toMatch(/^check,state\r\nnode,OK\r\n/);
    expect((await world.run('doctor --fields state,check')).stdout).toContain('\nOK\tclock\n');
  });

  test('the name of a host is looked up', async () => {
    const { world, baseUrl } = await loggedIn(fine);
    const { state, of } = await examined(
      world,
      `--base-url ${baseUrl.replace('127.0.0.1', 'localhost')}`,
      { MAILER_API_KEY: key },
    );
    expect(state).toEqual({ ...allFine, dns: 'OK' });
    expect(of('dns')?.detail).toMatch(/^localhost is .*127\.0\.0\.1.* \(0 ms\)$/);
  });

  test('how long that takes does not depend on the clock of the machine', async () => {
    const { world, baseUrl } = await loggedIn(fine);
    let { now: time } = world.clock;
    // Each read sets the clock back by an hour.
    Object.defineProperty(world.clock, 'now', { get: () => (time -= 3_600_000) });
    const url = baseUrl.replace('127.0.0.1', 'localhost');
    const { stdout } = await world.run(['doctor', '--json', '--base-url', url]);
    const dns = checksOf({ stdout }).find(({ check }) => check === 'dns');
    expect(dns?.detail).toMatch(/ \(0 ms\)$/);
  });
});

describe('the configuration', () => {
  test('nothing at all: 3, and nothing is created', async () => {
    const world = createWorld();
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(3);
    expect(state).toEqual({
      node: 'OK',
      config: 'OK',
      key: 'FAILED',
      url: 'FAILED',
      dns: 'SKIPPED',
      tls: 'SKIPPED',
      proxy: 'SKIPPED',
      clock: 'SKIPPED',
      features: 'SKIPPED',
    });
    expect(of('config')?.detail).toBe(`There is no ${configOf(world).path} yet`);
    expect(of('key')?.remedy).toBe(
      'Set MAILER_API_KEY and MAILER_BASE_URL, or log in: mailer login',
    );
    expect(of('url')).toMatchObject({
      code: 'usage',
      remedy: expect.stringContaining('--base-url'),
    });
    expect(readdirSync(world.home)).toEqual([]);
  });

  test('a damaged file: 2, and it is not moved', async () => {
    const { world } = await loggedIn();
    const { path } = configOf(world);
    writeFileSync(path, `{"apiKey": "${key}`);
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(2);
    expect(state).toMatchObject({ config: 'FAILED', key: 'SKIPPED', url: 'SKIPPED' });
    expect(of('config')?.detail).toBe(`${path} is damaged: it is not JSON`);
    expect(of('url')?.detail).toBe('Not known, as config failed');
    expect(of('key')?.detail).toBe('Not known, as config failed');
    expect(readdirSync(join(path, '..')).filter((name) => /damaged/.test(name))).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain(key);
  });

  test("a damaged file does not prevent checks of the environment's account", async () => {
    const { world, baseUrl } = await loggedIn(fine);
    writeFileSync(configOf(world).path, '[]');
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl };
    const { exitCode, state } = await examined(world, '', env);
    expect(exitCode).toBe(2);
    expect(state).toEqual({ ...allFine, config: 'FAILED' });
  });

  test('a file that cannot be read: 2, as a check and not as an error', async () => {
    const world = createWorld();
    mkdirSync(configOf(world).path, { recursive: true });
    const { exitCode, stdout, stderr } = await world.run('doctor');
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^config\tFAILED\tCannot read .*it is a directory\tMove it away/m);
    expect(stderr).toBe('Error: These checks failed: config.\n');
  });

  test('open to others: a warning, and the modes stay', needing(notWindows), async () => {
    const { world } = await loggedIn(fine);
    const { path } = configOf(world);
    chmodSync(path, 0o644);
    chmodSync(join(path, '..'), 0o755);
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(0);
    expect(state).toEqual({ ...allFine, config: 'WARNING' });
    expect(of('config')?.detail).toContain(`others may use ${path} (mode 0644)`);
    expect(of('config')?.remedy).toBe(`chmod 0700 ${join(path, '..')}; chmod 0600 ${path}`);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  test('a profile that does not exist: 4', async () => {
    const { world } = await loggedIn();
    const { exitCode, state, of } = await examined(world, '--profile nope');
    expect(exitCode).toBe(4);
    expect(state).toMatchObject({ config: 'FAILED', key: 'SKIPPED', url: 'SKIPPED' });
    expect(of('config')).toMatchObject({
      detail: 'There is no profile "nope"',
      remedy: 'Profiles: default',
    });
    const named = await examined(world, '', { MAILER_PROFILE: 'nope' });
    expect(named.state.config).toBe('FAILED');
  });

  test('a profile named by the environment', async () => {
    const { world, baseUrl } = await loggedIn(fine);
    await configOf(world).update((config) => ({
      ...config,
      profiles: { ...config.profiles, work: { baseUrl, apiKey: 'us_of_work_123456' } },
    }));
    const { of } = await examined(world, '', { MAILER_PROFILE: 'work' });
    expect(of('config')?.detail).toContain('profile work (MAILER_PROFILE) in ');
    expect(of('key')?.detail).toBe('**** (profile work), accepted');
  });

  test('an invalid setting: 2, and doctor runs nevertheless', async () => {
    const { world, baseUrl } = await loggedIn(fine);
    const settings = { timezone: 'Nope/Nope', timeout: 'soon', output: 'json' };
    await configOf(world).update((config) => ({
      ...config,
      profiles: { default: { baseUrl, apiKey: key, settings } },
    }));
    const outcome = await world.run('doctor --json');
    expect(outcome.exitCode).toBe(2);
    const [, config] = checksOf(outcome);
    expect(config?.detail).toContain('profile default: timezone: "Nope/Nope"');
    expect(config?.remedy).toBe(
      'Remove the setting: mailer config unset timezone --profile default',
    );
  });

  test('variables that override it: a warning with their names only', async () => {
    const { world, baseUrl } = await loggedIn(fine);
    const other = 'us_of_the_environment_1';
    const outcome = await world.run('doctor --json', {
      env: { MAILER_API_KEY: other, MAILER_BASE_URL: `${baseUrl}/` },
    });
    expect(outcome.exitCode).toBe(0);
    expect(checksOf(outcome)[1]).toMatchObject({
      state: 'WARNING',
      detail: expect.stringContaining('MAILER_API_KEY and MAILER_BASE_URL of the environment take'),
      remedy: 'To use what the profile has: unset MAILER_API_KEY MAILER_BASE_URL',
    });
    expect(outcome.stdout).not.toContain(other);
  });

  test('a variable that a flag overrides: one warning', async () => {
    const { world } = await loggedIn(fine);
    const { state, of } = await examined(world, '--profile default', {
      MAILER_API_KEY: 'us_of_the_environment_1',
    });
    expect(state).toEqual({ ...allFine, config: 'WARNING' });
    expect(of('config')?.detail).toContain('MAILER_API_KEY is ignored: --profile default takes');
    expect(of('key')?.detail).toBe('**** (profile default), accepted');
  });

  test.each([
    [{ XDG_CONFIG_HOME: 'here' }, 'XDG_CONFIG_HOME is not an absolute path'],
    [{ MAILER_CONFIG_DIR: 'here' }, 'MAILER_CONFIG_DIR depends on the current directory'],
  ])('an odd directory: %j', async (env, text) => {
    const { of } = await examined(createWorld(), '', env);
    expect(of('config')).toMatchObject({ state: 'WARNING', detail: expect.stringContaining(text) });
  });
});

describe('the key', () => {
  test.each([
    [401, 'Unauthorized'],
    [403, 'Invalid API token'],
  ])('rejected with %i: 3, and only the key failed', async (status, message) => {
    const { world, baseUrl } = await loggedIn(refusal(status, `${message}.`));
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(3);
    expect(state).toEqual({ ...allFine, key: 'FAILED' });
    expect(of('key')).toEqual({
      check: 'key',
      state: 'FAILED',
      detail: `**** (profile default), rejected: ${message} (${status})`,
      remedy: `Check that it is a key of ${baseUrl}. Store another one: mailer login`,
      code: 'auth',
    });
  });

  test('of the environment, rejected', async () => {
    const { world } = await loggedIn(refusal(403, 'no'));
    const { of } = await examined(world, '', { MAILER_API_KEY: 'us_of_the_environment_1' });
    expect(of('key')?.remedy).toContain('Set MAILER_API_KEY to another one');
  });

  test('missing with a URL: the service is requested without one', async () => {
    const service = await startUndescribed(refusal(401, 'Unauthorized'));
    const { exitCode, state } = await examined(createWorld(), `--base-url ${service.baseUrl}`);
    expect(exitCode).toBe(3);
    expect(state).toEqual({ ...allFine, key: 'FAILED' });
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('of another service is not sent: 3', async () => {
    const { world } = await loggedIn();
    const other = await startUndescribed(refusal(401, 'Unauthorized'));
    const { exitCode, state, of } = await examined(world, `--base-url ${other.baseUrl}`);
    expect(exitCode).toBe(3);
    expect(state).toMatchObject({ key: 'FAILED', url: 'OK' });
    expect(of('key')?.detail).toContain('it was not sent to');
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('that is invalid', async () => {
    const { world } = await loggedIn(refusal(401, 'Unauthorized'));
    const { exitCode, of } = await examined(world, '', { MAILER_API_KEY: 'two words' });
    expect(exitCode).toBe(3);
    expect(of('key')?.detail).toContain('MAILER_API_KEY: an API key consists of');
  });

  test('is not tested while the service limits the rate: 7', async () => {
    const { world } = await loggedIn({ ...refusal(429, 'slow down') });
    const { exitCode, state } = await examined(world);
    expect({ exitCode, state }).toEqual({ exitCode: 7, state: { ...allFine, key: 'FAILED' } });
  });

  test('is tested again after the pause of a rate limit', async () => {
    const limited = { ...refusal(429, 'slow down'), headers: { date: now, 'retry-after': '1' } };
    const { world, service } = await loggedIn(limited, fine);
    const { state } = await examined(world);
    expect(state).toEqual(allFine);
    expect(service.requests).toHaveLength(2);
    expect(world.clock.pauses.some((pause) => pause >= 1000)).toBe(true);
  });

  async function withCommand(keyCommand: string, ...answers: readonly Answer[]) {
    const { baseUrl } = await startUndescribed(...answers);
    return await worldWith({ default: { baseUrl, keyCommand } }, 'default');
  }

  test.each([
    ['echo secret-output; exit 4', 'The key command of profile default failed with exit code 4'],
    ['true secret-output', 'The key command of profile default printed no key'],
  ])('of a command that fails: %s', async (command, detail) => {
    const world = await withCommand(command, refusal(401, 'no'));
    const outcome = await world.run('doctor --json');
    expect(outcome.exitCode).toBe(3);
    expect(checksOf(outcome)[2]).toMatchObject({ state: 'FAILED', detail });
    expect(checksOf(outcome)[3]).toMatchObject({ state: 'OK' });
    expect(outcome.stdout + outcome.stderr).not.toContain('secret-output');
  });

  test('of a command that does not end', async () => {
    const world = await withCommand('exec sleep 1000', refusal(401, 'no'));
    const { exitCode, of } = await examined(world, `--timeout ${shortLimit}`);
    expect(exitCode).toBe(3);
    expect(of('key')?.detail).toBe(
      `The key command of profile default took longer than ${shortLimit} s`,
    );
  });

  test('of a command that works', async () => {
    const { exitCode, of } = await examined(await withCommand(`echo ${key}`, fine));
    expect(exitCode).toBe(0);
    expect(of('key')?.detail).toBe('**** (key command of profile default), accepted');
  });
});

describe('the URL', () => {
  test('is invalid: 2', async () => {
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: 'mail' };
    const { exitCode, state, of } = await examined(createWorld(), '', env);
    expect(exitCode).toBe(2);
    expect(state).toMatchObject({ key: 'SKIPPED', url: 'FAILED', dns: 'SKIPPED' });
    expect(of('url')?.detail).toBe('MAILER_BASE_URL: not an http or https URL');
    expect(of('url')?.remedy).toContain('https://mail.example.com/api');
  });

  test('is missing with a key: 2', async () => {
    const { exitCode, of } = await examined(createWorld(), '', { MAILER_API_KEY: key });
    expect(exitCode).toBe(2);
    expect(of('url')?.detail).toBe('There is no base URL');
    expect(of('key')?.detail).toBe('MAILER_API_KEY; not tried, as url failed');
  });

  test('leads to a closed port: 7, without a retry', async () => {
    const { world, service, baseUrl } = await loggedIn();
    await service.close();
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...allFine, key: 'SKIPPED', url: 'FAILED', clock: 'SKIPPED' });
    expect(of('url')?.detail).toMatch(/: 127\.0\.0\.1:\d+ refused the connection$/);
    expect(of('url')?.remedy).toContain(`curl -v ${baseUrl}`);
    expect(world.clock.pauses).toEqual([]);
  });

  test('leads to a host that does not respond: 7', async () => {
    const { world } = await loggedIn(() => {});
    const { exitCode, of } = await examined(world, `--timeout ${shortLimit}`);
    expect(exitCode).toBe(7);
    expect(of('url')?.detail).toContain(`did not respond within ${shortLimit} s`);
  });

  test('leads to a name that does not exist: 7, and dns failed', async () => {
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: 'https://mail.invalid/api' };
    const { exitCode, state, of } = await examined(createWorld(), '', env);
    expect(exitCode).toBe(7);
    expect(state).toMatchObject({
      key: 'SKIPPED',
      url: 'SKIPPED',
      dns: 'FAILED',
      tls: 'SKIPPED',
      proxy: 'OK',
      clock: 'SKIPPED',
      features: 'SKIPPED',
    });
    expect(of('url')?.detail).toBe(
      'https://mail.invalid/api (MAILER_BASE_URL); not tried, as dns failed',
    );
    expect(of('dns')?.detail).toContain('mail.invalid');
    expect(of('dns')?.remedy).toContain('nslookup mail.invalid');
  });

  test('is missing: how to log in with the requested profile', async () => {
    const world = await worldWith({ 'my work': {} }, 'my work');
    const { of } = await examined(world, '', { MAILER_PROFILE: 'my work' });
    expect(of('url')?.remedy).toMatch(/ store it with: mailer login$/);
    const outcome = await world.run(['doctor', '--json', '--profile', 'my work']);
    expect(checksOf(outcome).find(({ check }) => check === 'url')?.remedy).toMatch(
      / store it with: mailer login --profile 'my work'$/,
    );
  });

  test('has a host that a shell would run: the command to copy is quoted', async () => {
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: 'https://a;touch$x/api' };
    const { of } = await examined(createWorld(), '', env);
    expect(of('dns')?.remedy).toMatch(/: nslookup 'a;touch\$x'$/);
  });

  const page = '<!doctype html><title>Shop</title>';

  test('leads to a web page: 8', async () => {
    const { world } = await loggedIn({ body: page, headers: { date: now } });
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(8);
    expect(state).toEqual({ ...allFine, key: 'SKIPPED', url: 'FAILED' });
    expect(of('url')?.detail).toContain('a web page instead of JSON');
  });

  test('has the wrong path: 2, and a suggestion', async () => {
    const service = await startUndescribed({ status: 404, body: '404 Not Found' });
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: service.url };
    const { exitCode, of } = await examined(createWorld(), '', env);
    expect(exitCode).toBe(2);
    expect(of('url')).toMatchObject({
      detail: `${service.url} (MAILER_BASE_URL): no API there: 404 Not Found (404)`,
      remedy: `The path usually is /api. Try: mailer doctor --base-url ${service.url}/api`,
    });
    expect(of('key')?.state).toBe('SKIPPED');
  });

  test.each([401, 403])(
    'leads to a gateway that responds with %i and a page: 8',
    async (status) => {
      const { world } = await loggedIn({ status, body: page });
      const { exitCode, state, of } = await examined(world);
      expect(exitCode).toBe(8);
      expect(state).toMatchObject({ key: 'SKIPPED', url: 'FAILED' });
      expect(of('url')?.detail).toContain(`it responded with ${status}, and not in JSON`);
    },
  );

  test('redirects to another origin: 8', async () => {
    const { world } = await loggedIn({ status: 302, headers: { location: 'https://x.test/' } });
    const { exitCode, of } = await examined(world);
    expect(exitCode).toBe(8);
    expect(of('url')?.detail).toContain('redirects to https://x.test');
    expect(of('url')?.remedy).toBe('If the service has moved, give its new base URL');
  });

  test('leads to an unavailable service: 7', async () => {
    const { world, service } = await loggedIn({ status: 503, body: page, headers: { date: now } });
    const { exitCode, state, of } = await examined(world);
    expect(exitCode).toBe(7);
    expect(state).toEqual({ ...allFine, key: 'SKIPPED', url: 'FAILED' });
    expect(of('url')?.detail).toContain('The service responded with 503');
    expect(service.requests).toHaveLength(1);
  });

  test('is plain http to another machine: the key is not sent, 3', async () => {
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: 'http://mail.invalid/api' };
    const { exitCode, of } = await examined(createWorld(), '', env);
    expect(exitCode).toBe(3);
    expect(of('key')).toMatchObject({
      state: 'FAILED',
      detail: expect.stringContaining('The key was not sent'),
      remedy: expect.stringContaining('--allow-http'),
    });
  });

  test('shows a hostile response escaped', async () => {
    const { world } = await loggedIn(refusal(403, 'no\u001b[2J\nOK'));
    const { stdout } = await world.run('doctor');
    expect(stdout).toContain('no\\x1b[2J\\nOK (403)');
  });
});

describe('the clock', () => {
  const at = (time: string): Answer => ({
    body: [],
    headers: { date: new Date(time).toUTCString() },
  });

  test.each([
    ['2026-01-15T09:00:00Z', 'FAILED', 2, "This machine's clock is 1 hour ahead of the service's"],
    ['2026-01-15T11:30:00Z', 'FAILED', 2, "This machine's clock is 1 hour behind the service's"],
    ['2026-01-15T09:58:00Z', 'WARNING', 0, "This machine's clock is 2 minutes ahead of"],
    ['2026-01-15T10:05:00Z', 'WARNING', 0, "This machine's clock is 5 minutes behind"],
    ['2026-01-15T10:01:00Z', 'OK', 0, "Within a minute of the service's"],
  ])('against %s: %s', async (time, state, exitCode, detail) => {
    const { world } = await loggedIn(at(time));
    const found = await examined(world);
    expect(found.exitCode).toBe(exitCode);
    expect(found.of('clock')).toMatchObject({ state, detail: expect.stringContaining(detail) });
    if (state !== 'OK') expect(found.of('clock')?.remedy).toContain('timedatectl');
  });

  test('is compared when the response arrives, not at the end', async () => {
    const date = new Date('2026-01-15T09:59:30Z').toUTCString();
    const { world } = await loggedIn(
      { status: 503, body: 'down', headers: { date, 'retry-after': '60' } },
      (response) => void response.destroy(),
    );
    const { of } = await examined(world, '--retries 1 --timeout 120');
    expect(world.clock.pauses).toEqual([60_125]);
    expect(of('clock')?.state).toBe('OK');
  });

  test('is not checked without a Date header', async () => {
    const { world } = await loggedIn((response) => {
      response.sendDate = false;
      response.removeHeader('date');
      response.end('[]');
    });
    expect((await examined(world)).state).toEqual({ ...allFine, clock: 'SKIPPED' });
  });
});

describe('flags and settings of the profile', () => {
  test('a key in another format that gets 500 is named', async () => {
    const { world } = await loggedIn(refusal(500, 'Internal'), refusal(500, 'Internal'));
    const odd = await examined(world, '', { MAILER_API_KEY: 'f3b9-0123456789' });
    expect(odd.of('url')?.remedy).toBe('Check that you copied the whole API key');
    const usual = await examined(world);
    expect(usual.of('url')?.remedy).toMatch(/^Wait/);
  });

  const down: Answer = { status: 503, body: 'down', headers: { date: now } };

  async function withSettings(settings: Record<string, string>, ...answers: readonly Answer[]) {
    const { world, service, baseUrl } = await loggedIn(...answers);
    await configOf(world).update((config) => ({
      ...config,
      profiles: { default: { baseUrl, apiKey: key, settings } },
    }));
    return { world, service };
  }

  test.each([
    ['', 3],
    ['--retries 1', 2],
  ])('retries 2, and the flag "%s": %i requests', async (flags, requests) => {
    const { world, service } = await withSettings({ retries: '2' }, down, down, down, down);
    const { exitCode } = await examined(world, flags);
    expect(exitCode).toBe(7);
    expect(service.requests).toHaveLength(requests);
  });

  test.each([
    ['', 2 * shortLimit],
    [`--timeout ${shortLimit}`, shortLimit],
  ])(`timeout ${2 * shortLimit}, and the flag "%s": %s s`, async (flags, seconds) => {
    const { world } = await withSettings({ timeout: String(2 * shortLimit) }, () => {});
    expect((await examined(world, flags)).of('url')?.detail).toContain(
      `did not respond within ${seconds} s`,
    );
  });

  test('the setting also limits a key command', async () => {
    const { baseUrl } = await startUndescribed(refusal(401, 'no'));
    const settings = { timeout: String(shortLimit) };
    const world = await worldWith(
      { default: { baseUrl, keyCommand: 'exec sleep 1000', settings } },
      'default',
    );
    const { of } = await examined(world);
    expect(of('key')?.detail).toBe(
      `The key command of profile default took longer than ${shortLimit} s`,
    );
  });
});

test('a Node that is too old: 2', async () => {
  const { world } = await loggedIn(fine);
  const { exitCode, stdout } = await world.run('doctor --json', { node: '22.18.0' });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout).checks[0]).toMatchObject({
    state: 'FAILED',
    remedy: 'Install Node 22.19 or newer: https://nodejs.org',
  });
  const newest = await world.run('doctor --fields state', { node: '22.19.0' });
  expect(newest.stdout).toMatch(/^state\nOK\n/);
});

test('an executable needs no Node: the version that Bun reports is ignored', async () => {
  const options = { node: '22.18.0', bun: '1.4.5' };
  const { exitCode, stdout } = await createWorld().run('doctor --sandbox --json', options);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).checks[0]).toMatchObject({
    state: 'OK',
    detail: expect.stringMatching(/^The executable of mailer \S+, with Bun 1\.4\.5 \(\S+\)$/),
  });
});

describe('several failures', () => {
  test('--quiet names them, and the exit code is that of the first', async () => {
    const outcome = await createWorld().run('doctor -q');
    expect(outcome).toEqual({
      exitCode: 3,
      stdout: 'key\nurl\n',
      stderr: 'Error: These checks failed: key, url.\n',
    });
  });

  test('piped, with their names on stderr', async () => {
    const { world } = await loggedIn({ ...refusal(403, 'no'), headers: {} });
    const { stderr } = await world.run('doctor', { env: { XDG_CONFIG_HOME: '' } });
    expect(stderr).toBe('Error: These checks failed: key, clock.\n');
  });

  test('on a terminal, lines of fixes break between words', async () => {
    const { stdout } = await createWorld().run('doctor --no-color', { terminal: 80 });
    expect(stdout).toContain(
      [
        'Remedy  Set MAILER_API_KEY and MAILER_BASE_URL, or log in: mailer login',
        '',
        'url FAILED',
        'Found   There is no base URL',
        'Remedy  Give it with --base-url or MAILER_BASE_URL, or store it with:',
        '          mailer login',
        '',
      ].join('\n'),
    );
  });

  test('on a terminal of 80 columns: a line each, complete fixes below', async () => {
    const { world, baseUrl } = await loggedIn({
      status: 403,
      headers: { date: new Date('2026-01-15T09:58:00Z').toUTCString() },
      body: { error: { code: 'FORBIDDEN', message: 'Invalid API token' } },
    });
    const { exitCode, stdout, stderr } = await world.run('doctor', {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: 'Error: These checks failed: key. Warnings: clock.\n',
    });
    const [table = '', ...details] = stdout.split('\n\n');
    const lines = table.split('\n');
    expect(lines).toHaveLength(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toBe('CHECK     STATE    FOUND');
    expect(lines[3]).toBe(
      'key       FAILED   us_…7890 (profile default), rejected: Invalid API token (403)',
    );
    expect(details.join('\n\n')).toBe(
      [
        'key FAILED',
        'Found   us_…7890 (profile default), rejected: Invalid API token (403)',
        `Remedy  Check that it is a key of ${baseUrl}. Store another one:`,
        '          mailer login',
        '',
        'clock WARNING',
        "Found   This machine's clock is 2 minutes ahead of the service's",
        'Remedy  Turn on network time: sudo timedatectl set-ntp true',
        '',
      ].join('\n'),
    );
  });
});

describe('what the service offers', () => {
  async function described(paths: object) {
    const service = await startRecorder(fine, { body: { paths } });
    const { baseUrl } = service;
    const world = await worldWith({ default: { baseUrl, apiKey: key } }, 'default');
    return { ...(await examined(world)), service };
  }

  test('of a service that lacks some of it', async () => {
    const { exitCode, of, service } = await described({
      '/v1/domains': { get: {}, post: {} },
      '/v1/domains/{id}': { get: {}, delete: {} },
      '/v1/reputation/events': { get: {} },
    });
    expect(exitCode).toBe(0);
    expect(of('features')?.state).toBe('OK');
    expect(of('features')?.detail).toMatch(/^All but email, campaign, .*domain\.verify, /);
    expect(service.requests[1]).toMatchObject({ method: 'GET', path: '/api/v1/doc' });
    expect(service.requests[1]?.headers.authorization).toBeUndefined();
  });

  test('of one that lacks nothing', async () => {
    const { stdout } = await createWorld().run('api /v1/doc --sandbox');
    const { of } = await described(JSON.parse(stdout).paths);
    expect(of('features')).toMatchObject({ state: 'OK', detail: 'All' });
  });

  test('is no failure where the description fails', async () => {
    const failing = { status: 500, body: { error: { code: 'X', message: 'Down' } } };
    const service = await startRecorder(fine, failing);
    const { baseUrl } = service;
    const world = await worldWith({ default: { baseUrl, apiKey: key } }, 'default');
    const { exitCode, of } = await examined(world);
    expect(exitCode).toBe(0);
    expect(of('features')).toMatchObject({
      state: 'SKIPPED',
      detail: 'Not known: The service responded with 500: Down',
    });
  });
});

describe('--sandbox', () => {
  test('checks the sandbox, and no account', async () => {
    const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: 'nonsense' });
    const { exitCode, state } = await examined(world, '--sandbox');
    expect(exitCode).toBe(0);
    expect(state).toEqual({ node: 'OK', directory: 'OK', sqlite: 'OK', service: 'OK' });
  });

  test('an impossible directory: 2', async () => {
    const world = createWorld();
    writeFileSync(join(world.home, 'file'), '');
    const { exitCode, state, of } = await examined(world, '--sandbox', {
      MAILER_SANDBOX_DIR: join(world.home, 'file', 'below'),
    });
    expect(exitCode).toBe(2);
    expect(state).toMatchObject({ directory: 'FAILED', service: 'SKIPPED' });
    expect(of('directory')?.remedy).toContain('MAILER_SANDBOX_DIR');
  });

  test.each([
    [{ MAILER_SANDBOX_DIR: 'here' }, 'MAILER_SANDBOX_DIR depends on the current directory'],
    [{ XDG_DATA_HOME: 'here' }, 'XDG_DATA_HOME is not an absolute path'],
  ])('an odd directory: %j', async (env, text) => {
    const { of } = await examined(createWorld(), '--sandbox', env);
    expect(of('directory')?.detail).toContain(text);
  });

  test('data of another program: 2', async () => {
    const world = createWorld();
    const directory = join(world.home, 'sandbox');
    mkdirSync(directory);
    const env = { MAILER_SANDBOX_DIR: directory };
    await world.run('domain list --sandbox', { env });
    for (const name of readdirSync(directory))
      writeFileSync(join(directory, name), 'x'.repeat(9000));
    const { exitCode, state } = await examined(world, '--sandbox', env);
    expect({ exitCode, state }).toMatchObject({
      exitCode: 2,
      state: { directory: 'OK', sqlite: 'OK', service: 'FAILED' },
    });
  });

  test.each(['--profile x', '--base-url http://x'])('with %s is a usage error', async (flag) => {
    const { exitCode, stdout } = await createWorld().run(`doctor --sandbox ${flag}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});

test('Ctrl-C ends it, and fails no check', async () => {
  const controller = new AbortController();
  const { world } = await loggedIn(() => controller.abort(new InterruptedError('Interrupted.')));
  onTestFinished(() => controller.abort());
  const { exitCode, stdout } = await world.run('doctor', { signal: controller.signal });
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
});

describe('a policy', () => {
  test.each(['', '--sandbox'])('has a line %s', async (words) => {
    const { world } = await loggedIn(fine);
    const { exitCode, of } = await examined(world, words, { MAILER_REDIRECT_TO: 'me@example.com' });
    expect({ exitCode, policy: of('policy') }).toMatchObject({
      exitCode: 0,
      policy: { state: 'OK', detail: 'redirect-to (MAILER_REDIRECT_TO)' },
    });
  });

  test('that is invalid lets nothing be sent: 2', async () => {
    const { world } = await loggedIn(fine);
    const { exitCode, of } = await examined(world, '', { MAILER_REDIRECT_TO: '' });
    expect({ exitCode, policy: of('policy') }).toMatchObject({
      exitCode: 2,
      policy: { state: 'FAILED', code: 'usage', remedy: expect.stringContaining('unset MAILER_') },
    });
  });
});

describe('several programs mailer in PATH', () => {
  /** Puts a program into a directory of its own, as npm installs it if it has a version. */
  function install(world: World, name: string, version?: string, mode = 0o755): string {
    const bin = join(world.home, name, 'bin');
    mkdirSync(bin, { recursive: true });
    const path = join(bin, 'mailer');
    // Whoever runs it sees it.
    writeFileSync(path, `#!/bin/sh\ntouch ${join(world.home, 'was-run')}\n`, { mode });
    if (version !== undefined) {
      const manifest = JSON.stringify({ name: 'mailer-cli', version });
      writeFileSync(join(world.home, name, 'package.json'), manifest);
    }
    return path;
  }
  const pathOf = (...programs: readonly string[]) => ({ PATH: programs.map(dirname).join(':') });

  test('shadow each other: which is used, and which are not', async () => {
    const { world } = await loggedIn(fine, fine);
    const [old, own] = [install(world, 'old', '0.0.9'), install(world, 'own')];
    const { of, exitCode } = await examined(world, '', pathOf(old, own));
    expect(exitCode).toBe(0);
    expect(of('installations')).toMatchObject({
      state: 'WARNING',
      detail: `PATH has more than one mailer: ${old} (0.0.9) is used, not ${own}`,
    });
    const onSandbox = await examined(world, '--sandbox', pathOf(own, old));
    expect(onSandbox.of('installations')?.detail).toContain(`${own} is used, not ${old} (0.0.9)`);
    expect(readdirSync(world.home)).not.toContain('was-run');
  });

  test('only if they are several: not twice the same, a directory, or what is not executable', async () => {
    const { world } = await loggedIn(fine);
    const own = install(world, 'own');
    const plain = install(world, 'plain', undefined, 0o644);
    mkdirSync(join(world.home, 'directory', 'mailer'), { recursive: true });
    mkdirSync(join(world.home, 'link'));
    symlinkSync(own, join(world.home, 'link', 'mailer'));
    const others = ['directory/mailer', 'link/mailer', 'none/mailer'];
    const all = pathOf(
      own,
      own,
      plain,
      ...others.map((one) => join(world.home, one)),
      'relative/x',
    );
    expect((await examined(world, '', all)).of('installations')).toBe(undefined);
  });
});
