import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { ctrlC, enter } from '../support/keys.ts';
import { type Answer, startRecorder } from '../support/recorder.ts';
import { createWorld, type World } from '../support/run.ts';
import { worldWith } from '../support/stored-profiles.ts';

const key = 'us_0123456789_wxyz';
const accepted = { body: [] };
const refused = {
  status: 403,
  body: { error: { code: 'FORBIDDEN', message: 'Invalid API token' } },
};

function configPath({ home }: World): string {
  return join(home, '.config', 'mailer', 'config.json');
}

function stored(world: World): unknown {
  return JSON.parse(readFileSync(configPath(world), 'utf8'));
}

describe('with the key on stdin', () => {
  test('tests the key with one call, stores it, and prints what it stored', async () => {
    const world = createWorld();
    const service = await startRecorder(accepted);
    const login = await world.run(
      ['login', '--with-token', '--base-url', `${service.baseUrl}/v1/`],
      { stdin: `${key}\n` },
    );
    expect(login).toEqual({
      exitCode: 0,
      stdout: 'default\n',
      stderr: `Logged in to ${service.baseUrl}. Stored the key as profile default in ${configPath(world)}\n`,
    });
    expect(service.requests).toMatchObject([
      { method: 'GET', path: '/api/v1/domains', headers: { authorization: `Bearer ${key}` } },
    ]);
    expect(stored(world)).toEqual({
      currentProfile: 'default',
      profiles: { default: { baseUrl: service.baseUrl, apiKey: key } },
    });
    expect((statSync(configPath(world)).mode & 0o777).toString(8)).toBe('600');
  });

  test('--json shows the outcome with the key masked', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted);
    const login = await world.run(['login', '--with-token', '--base-url', baseUrl, '--json'], {
      stdin: key,
    });
    expect(JSON.parse(login.stdout)).toEqual({
      profile: 'default',
      current: true,
      baseUrl,
      key: '****',
      keyCommand: null,
      path: configPath(world),
    });
  });

  test('uses the base URL of the environment, else that of the profile', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted, accepted);
    const first = await world.run('login --with-token', {
      stdin: 'us_old',
      env: { MAILER_BASE_URL: baseUrl },
    });
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toContain('MAILER_BASE_URL is set and overrides what was stored');
    const second = await world.run('login --with-token', { stdin: key });
    expect(second.exitCode).toBe(0);
    expect(stored(world)).toMatchObject({ profiles: { default: { baseUrl, apiKey: key } } });
  });

  test('a second profile is stored but not made current', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted, accepted);
    await world.run(['login', '--with-token', '--base-url', baseUrl], { stdin: 'us_first' });
    const second = await world.run(
      ['login', '--with-token', '--base-url', baseUrl, '--profile', 'work'],
      { stdin: key },
    );
    expect(second.stderr).toContain(
      'The current profile is default. To switch: mailer profile use work',
    );
    expect(stored(world)).toMatchObject({
      currentProfile: 'default',
      profiles: { default: { apiKey: 'us_first' }, work: { apiKey: key } },
    });
  });

  test('the first profile is current, whatever its name', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted);
    await world.run(['login', '--with-token', '--base-url', baseUrl, '--profile', 'work'], {
      stdin: key,
    });
    expect(stored(world)).toMatchObject({ currentProfile: 'work' });
  });

  test('settings of a profile survive another login', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted);
    await world.run('config set from ana@example.com');
    await world.run(['login', '--with-token', '--base-url', baseUrl], { stdin: key });
    expect(stored(world)).toMatchObject({
      profiles: { default: { apiKey: key, settings: { from: 'ana@example.com' } } },
    });
  });

  const said =
    'The API key is not in the usual format, us_ID_SECRET or msk_ID_SECRET. Some servers respond with 500 to such a key.';
  const blamed = `The service responded with 500: Internal. ${said}`;
  const crashed = {
    status: 500,
    body: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Internal' } },
  };

  test.each(['f3b9-0123456789', 'us_0123456789', 'us_0123456789_', 'us__wxyz', 'sk_a_b'])(
    'a key in another format, %s, gets a warning and is stored',
    async (odd) => {
      const world = createWorld();
      const { baseUrl } = await startRecorder(accepted);
      const words = ['login', '--with-token', '--base-url', baseUrl];
      const login = await world.run(words, { stdin: odd });
      expect(login.exitCode).toBe(0);
      expect(login.stderr.split('\n')[0]).toBe(`Warning: ${said}`);
      expect(stored(world)).toMatchObject({ profiles: { default: { apiKey: odd } } });
    },
  );

  test('when the response to such a key is 500, the error explains it', async () => {
    const { baseUrl } = await startRecorder(crashed, crashed);
    const words = ['login', '--with-token', '--base-url', baseUrl, '--retries', '0'];
    const login = await createWorld().run(words, { stdin: 'f3b9-0123456789' });
    const error = `Error: ${blamed}\nHint: Nothing was stored. Check that you copied the whole API key.\n`;
    expect(login.exitCode).toBe(7);
    // The warning comes before the key is tried.
    expect(login.stderr).toBe(`Warning: ${said}\n${error}`);
    const json = await createWorld().run([...words, '--json'], { stdin: 'f3b9-0123456789' });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { message: blamed } });
  });

  test('errors of other commands name it too, for such a key only', async () => {
    const { baseUrl } = await startRecorder(...Array(5).fill(crashed));
    const world = createWorld({ MAILER_BASE_URL: baseUrl });
    const stderrOf = async (words: string, MAILER_API_KEY: string) =>
      (await world.run(`${words} --retries 0`, { env: { MAILER_API_KEY } })).stderr;
    const error = `Error: ${blamed}\nHint: Check that you copied the whole API key.\n`;
    expect(await stderrOf('whoami', 'f3b9-0123456789')).toBe(error);
    for (const usual of [key, 'msk_0123456789_wxyz']) {
      expect(await stderrOf('whoami', usual)).toBe(
        'Error: The service responded with 500: Internal\n',
      );
    }
    expect(await stderrOf('domain list', 'f3b9-0123456789')).toBe(error);
    const send = 'email send --to a@b.c --from d@e.f --subject s --text t --json';
    const { message, hint } = JSON.parse(await stderrOf(send, 'f3b9-0123456789')).error;
    expect(message).toBe(blamed);
    expect(hint).toContain('--idempotency-key');
  });

  test.each([
    ['', 'the API key is empty'],
    [' \n', 'the API key is empty'],
    ['us_one\nus_two\n', 'an API key consists of'],
    ['us_one two', 'an API key consists of'],
    ['us_one\ttwo', 'an API key consists of'],
    ['us_one\u0001two', 'an API key consists of'],
    ['us_oneschlüssel', 'an API key consists of'],
    ['us_one'.padEnd(513, 'x'), 'an API key has at most 512 characters'],
  ])('%j is not a key', async (stdin, message) => {
    const world = createWorld();
    const service = await startRecorder();
    const login = await world.run(['login', '--with-token', '--base-url', service.baseUrl], {
      stdin,
    });
    expect(login.exitCode).toBe(2);
    expect(login.stderr).toContain(message);
    expect(login.stderr).not.toContain('us_one');
    expect(service.requests).toEqual([]);
  });
});

describe('the API is found', () => {
  /** A live server: the API under `path`, pages or plain text everywhere else. */
  const below =
    (path: string): Answer =>
    (response, { path: asked, headers }) => {
      if (!asked.startsWith(`${path}/v1/`)) response.writeHead(404).end('404 Not Found');
      else if (headers.authorization === `Bearer ${key}`) response.end('[]');
      else {
        const body = { error: { code: 'UNAUTHORIZED', message: 'No Authorization header' } };
        response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }
    };

  test.each([
    ['HOST', '/api'],
    ['HOST/', '/api'],
    ['HOST/api', '/api'],
    ['HOST/api/v1/', '/api'],
    ['HOST/api/v1/emails', '/api'],
    ['http://HOST/mail/api/v1/emails/em_1', '/mail/api'],
    ['http://HOST', '/api'],
    ['http://HOST/v1', '/api'],
    ['http://HOST/api/', '/api'],
    ['http://HOST/dashboard/domains', '/api'],
    ['http://HOST/mail', '/mail/api'],
    ['http://HOST/api', ''],
    ['http://HOST', ''],
  ])('at %s, when it is below "%s"; nothing else gets the key', async (given, path) => {
    const world = createWorld();
    const service = await startRecorder(...Array(5).fill(below(path)));
    const host = new URL(service.url).host;
    const words = ['login', '--with-token', '--base-url', given.replace('HOST', host)];
    expect(await world.run(words, { stdin: key })).toMatchObject({ exitCode: 0 });
    expect(stored(world)).toMatchObject({ profiles: { default: { baseUrl: service.url + path } } });
    const withKey = service.requests.filter(({ headers }) => headers.authorization !== undefined);
    expect(withKey.at(-1)?.path).toBe(`${path}/v1/domains`);
    const { pathname } = new URL(`http://${given.replace(/^http:../, '')}`);
    const pointedAt = `${pathname.replace(/\/api\/v1\/.*/, '/api')}/v1/domains`;
    for (const { path: asked } of withKey.slice(0, -1)) expect(asked).toBe(pointedAt);
    expect((await world.run('domain list')).exitCode).toBe(0);
  });

  test('elsewhere a host without a scheme is enough, too', async () => {
    const service = await startRecorder(accepted);
    const host = new URL(service.url).host;
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: `${host}/api/v1` };
    expect(await createWorld(env).run('domain list -q')).toMatchObject({ exitCode: 0 });
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/v1/domains']);
  });

  test.each([
    ['text', { status: 404, body: '404 Not Found' }],
    ['a page', { body: '<!doctype html>', headers: { 'content-type': 'text/html' } }],
  ])('elsewhere an error names the URL with /api if the response is %s', async (_, answer) => {
    const { url } = await startRecorder(answer);
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: url };
    const { stderr } = await createWorld(env).run('domain list');
    expect(stderr).toContain(
      `Hint: Check the base URL, whose path usually ends in /api. Try ${url}/api\n`,
    );
  });

  test('elsewhere an error about the URL of an endpoint names that of the API', async () => {
    const { url } = await startRecorder({ status: 404, body: '404 Not Found' });
    const env = { MAILER_API_KEY: key, MAILER_BASE_URL: `${url}/api/v1/emails` };
    const { stderr } = await createWorld(env).run('domain list');
    expect(stderr).toContain(`usually ends in /api. Try ${url}/api\n`);
  });

  test('on another machine only by https, unless http is asked for', async () => {
    const service = await startRecorder(...Array(3).fill(below('/api')));
    // 0.0.0.0 means every address of this machine, so it does not count as loopback.
    const host = `0.0.0.0:${new URL(service.url).port}`;
    const words = ['login', '--with-token', '--retries', '0', '--base-url'];
    const asHttps = await createWorld().run([...words, host], { stdin: key });
    expect(asHttps.exitCode).toBe(7);
    expect(asHttps.stderr).toContain(`--base-url http://${host} --allow-http`);
    const asHttp = await createWorld().run([...words, `http://${host}`], { stdin: key });
    expect(asHttp).toMatchObject({ exitCode: 3, stdout: '' });
    expect(service.requests).toEqual([]);
    const allowed = [...words, `http://${host}`, '--allow-http'];
    expect((await createWorld().run(allowed, { stdin: key })).exitCode).toBe(0);
  });

  test('a key that it rejects is reported as such', async () => {
    const service = await startRecorder(below('/api'), below('/api'), refused);
    const words = ['login', '--with-token', '--base-url', service.url];
    const { exitCode, stderr } = await createWorld().run(words, { stdin: key });
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`Error: ${service.url}/api rejected the key: Invalid API token`);
  });
});

describe('nothing is stored', () => {
  test('when the key is rejected; the base URL is shown, the key is not', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(refused);
    const login = await world.run(['login', '--with-token', '--base-url', baseUrl], { stdin: key });
    expect(login).toEqual({
      exitCode: 3,
      stdout: '',
      stderr:
        `Error: ${baseUrl} rejected the key: Invalid API token\n` +
        'Hint: Nothing was stored. Check the key, and that it belongs to this base URL.\n',
    });
    expect(existsSync(configPath(world))).toBe(false);
  });

  test('where there is no API; the error has what was tried', async () => {
    const world = createWorld();
    const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Hi' };
    const { url } = await startRecorder({ status: 404, body: '404 Not Found' }, page);
    const login = await world.run(['login', '--with-token', '--base-url', url], { stdin: key });
    expect(login.exitCode).toBe(4);
    expect(login.stderr).toBe(
      [
        'Error: No API was found. Tried, without the key:',
        `  ${url}: 404 Not Found`,
        `  ${url}/api: the response is not from an API`,
        'Hint: Nothing was stored. Check the base URL, such as https://mail.example.com/api',
        '',
      ].join('\n'),
    );
    expect(existsSync(configPath(world))).toBe(false);
  });

  test('if the service cannot be reached', async () => {
    const world = createWorld();
    const service = await startRecorder();
    await service.close();
    const login = await world.run(
      ['login', '--with-token', '--base-url', service.baseUrl, '--retries', '0'],
      { stdin: key },
    );
    expect(login.exitCode).toBe(7);
    expect(login.stderr).toContain('Nothing was stored.');
    expect(existsSync(configPath(world))).toBe(false);
  });

  test('if the key would be sent over plain http', async () => {
    const world = createWorld();
    const login = await world.run('login --with-token --base-url http://mail.example/api', {
      stdin: key,
    });
    expect(login.exitCode).toBe(3);
    expect(login.stderr).toContain('add --allow-http');
    expect(existsSync(configPath(world))).toBe(false);
  });

  test('if the directory cannot be written, and no stack trace has the key', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted);
    const inTheWay = join(world.home, 'file');
    writeFileSync(inTheWay, '');
    const login = await world.run(['login', '--with-token', '--base-url', baseUrl], {
      stdin: key,
      env: { MAILER_CONFIG_DIR: inTheWay },
    });
    expect(login.exitCode).toBe(2);
    expect(login.stderr).toBe(
      `Error: Cannot write ${inTheWay}/config.json: a part of its path is not a directory.\n` +
        'Hint: Set another directory in MAILER_CONFIG_DIR.\n',
    );
  });
});

describe('with a key command', () => {
  test('the command is stored, its key is not', async () => {
    const world = createWorld();
    const service = await startRecorder(accepted, accepted);
    const login = await world.run([
      'login',
      '--base-url',
      service.baseUrl,
      '--key-command',
      `printf '%s\\nmore' ${key}`,
    ]);
    expect(login.exitCode).toBe(0);
    expect(login.stderr).toContain('Stored the key command as profile default');
    expect(readFileSync(configPath(world), 'utf8')).not.toContain('apiKey');
    await world.run('domain list');
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${key}`,
      `Bearer ${key}`,
    ]);
  });

  test('a command that fails is not stored', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder();
    const login = await world.run(['login', '--base-url', baseUrl, '--key-command', 'exit 5']);
    expect(login.exitCode).toBe(3);
    expect(login.stderr).toContain('The key command failed with exit code 5.');
    expect(existsSync(configPath(world))).toBe(false);
  });

  test('it replaces a stored key, and the other way round', async () => {
    const world = createWorld();
    const { baseUrl } = await startRecorder(accepted, accepted, accepted);
    const login = (...words: string[]) =>
      world.run(['login', '--base-url', baseUrl, ...words], { stdin: key });
    const names = () => Object.keys(Object(stored(world)).profiles.default).sort();
    await login('--with-token');
    expect(names()).toEqual(['apiKey', 'baseUrl']);
    await login('--key-command', `echo ${key}`);
    expect(names()).toEqual(['baseUrl', 'keyCommand']);
    await login('--with-token');
    expect(names()).toEqual(['apiKey', 'baseUrl']);
  });
});

describe('usage', () => {
  test.each([
    ['login', 'Missing --base-url, and either --with-token or --key-command'],
    ['login --base-url https://mail.example/api', 'Missing either --with-token or --key-command'],
    ['login --with-token', 'Missing --base-url'],
    ['login --key-command true', 'Missing --base-url'],
    ['login --with-token --key-command true', 'cannot be used together'],
    // None of these is looked up as a host name, because it may be a key.
    ['login --with-token --base-url us_abc123_wxyz', 'not an http or https URL'],
    ['login --with-token --base-url SG.aBc-1.dEf-2', 'not an http or https URL'],
    ['login --with-token --base-url mailer', 'not an http or https URL'],
    ['login --with-token --base-url ftp://mail.example', 'not an http or https URL'],
    ['login --profile ../x --with-token', 'cannot be the name of a profile'],
    ['login --sandbox', 'login has no --sandbox'],
  ])('%s: %s', async (words, message) => {
    const outcome = await createWorld().run(words);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain(message);
  });
});

describe('at a terminal', () => {
  test('asks for base URL and key, and does not show the key', async () => {
    const world = createWorld();
    const { baseUrl, requests } = await startRecorder(accepted);
    const seen = await atTerminal(world.run, 'login', [
      ['Base URL, such as https://mail.example.com or http://127.0.0.1:4100', `mail${enter}`],
      // Ctrl-U removes what is typed.
      ['not an http or https URL', '\x15'],
      ['? Base URL', `${baseUrl}${enter}`],
      ['? API key', key],
      [`? API key ${'*'.repeat(key.length)}`, enter],
    ]);
    expect(seen.exitCode).toBe(0);
    expect(seen.output).not.toContain('0123');
    expect(seen.text).toContain('Logged in to');
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
    expect(stored(world)).toMatchObject({ profiles: { default: { baseUrl, apiKey: key } } });
  });

  test('Ctrl-C at the question for the key ends with 130', async () => {
    const world = createWorld();
    const service = await startRecorder();
    const words = `login --base-url ${service.baseUrl}`;
    const { exitCode, text } = await atTerminal(world.run, words, [['? API key', `x${ctrlC}`]]);
    expect(exitCode).toBe(130);
    expect(text).not.toContain('Error');
    expect(service.requests).toEqual([]);
    expect(existsSync(configPath(world))).toBe(false);
  });
});

test('looser modes of the file are repaired, with a note', async () => {
  const world = createWorld();
  const { baseUrl } = await startRecorder(accepted, accepted);
  await world.run(['login', '--with-token', '--base-url', baseUrl], { stdin: key });
  chmodSync(configPath(world), 0o644);
  const outcome = await world.run('whoami');
  expect(outcome.stderr).toContain('Warning: Others could use');
  expect(statSync(configPath(world)).mode & 0o777).toBe(0o600);
});

test('a login without --profile changes the current profile', async () => {
  const { baseUrl } = await startRecorder({ body: [] });
  const world = await worldWith(
    { default: { apiKey: 'us_first', baseUrl }, work: { apiKey: 'us_old', baseUrl } },
    'work',
  );
  const { exitCode, stdout } = await world.run('login --with-token', { stdin: key });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'work\n' });
  expect(stored(world)).toMatchObject({
    currentProfile: 'work',
    profiles: { default: { apiKey: 'us_first' }, work: { apiKey: key } },
  });
});
