import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';

test.each([
  ['from', 'Ana <ana@example.com>'],
  ['reply-to', 'ana@example.com, "B, Ben" <ben@example.com>'],
  ['timezone', 'Europe/Berlin'],
  ['output', 'json'],
  ['output', 'auto'],
  ['timeout', '2.5'],
  ['retries', '0'],
])('set and get %s', async (name, value) => {
  const world = createWorld();
  const set = await world.run(['config', 'set', name, ` ${value} `]);
  expect(set).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Set ${name} to ${value} in profile default.\n`,
  });
  const get = await world.run(['config', 'get', name, '--quiet']);
  expect(get).toEqual({ exitCode: 0, stdout: `${value}\n`, stderr: '' });
});

test.each([
  ['from', 'Ana'],
  ['from', 'a@example.com, b@example.com'],
  ['reply-to', 'a@example.com, b'],
  ['timezone', 'Berlin'],
  ['output', 'yaml'],
  ['timeout', '0'],
  ['timeout', '10x'],
  ['retries', '-1'],
  ['retries', '1.5'],
  ['from', ' '],
])('set %s to %j is an error, and nothing is stored', async (name, value) => {
  const world = createWorld();
  const set = await world.run(['config', 'set', name, value]);
  expect(set).toMatchObject({ exitCode: 2, stdout: '' });
  expect(set.stderr).toMatch(new RegExp(`^Error: ${name}[: ]`));
  expect((await world.run(['config', 'get', name])).stdout).toBe('');
});

test.each(['get', 'unset'])('%s of an unknown setting lists the known ones', async (verb) => {
  const outcome = await createWorld().run(`config ${verb} form`);
  expect(outcome.exitCode).toBe(4);
  expect(outcome.stderr).toContain('Settings: from, reply-to, timezone, output, timeout, retries');
});

test('unset removes a setting, once', async () => {
  const world = createWorld();
  await world.run('config set retries 2');
  await world.run('config set timeout 5');
  expect((await world.run('config unset retries')).stderr).toBe(
    'Removed retries from profile default.\n',
  );
  expect((await world.run('config unset retries')).stderr).toBe(
    'retries is not set in profile default.\n',
  );
  expect((await world.run('config get timeout')).stdout).toBe('5\n');
});

test('get of an unset setting prints nothing, and null as JSON', async () => {
  const world = createWorld();
  expect(await world.run('config get from')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(JSON.parse((await world.run('config get from --json')).stdout)).toEqual({
    profile: 'default',
    name: 'from',
    value: null,
  });
});

test('list shows all settings, set or not', async () => {
  const world = createWorld();
  await world.run('config set retries 2');
  expect((await world.run('config list')).stdout).toBe(
    'name\tvalue\nfrom\t\nreply-to\t\ntimezone\t\noutput\t\ntimeout\t\nretries\t2\nlocal-mail-to\t\nlog\t\n',
  );
  expect((await world.run('config list --jsonl')).stdout).toContain(
    '{"name":"retries","value":"2"}\n',
  );
});

test('settings belong to a profile', async () => {
  const world = createWorld();
  await world.run('config set retries 2');
  const missing = await world.run('config set retries 3 --profile work');
  expect(missing.exitCode).toBe(4);
  expect(missing.stderr).toContain('There is no profile "work".');
  const sandbox = await world.run('config set retries 3 --sandbox');
  expect(sandbox.exitCode).toBe(2);
});

test.each([
  ['work', 'mailer login --profile work'],
  ['$(id)', 'mailer login'],
])(
  'without any profile, the error has the command that creates %s, if it can be created',
  async (name, line) => {
    const { exitCode, stderr } = await createWorld().run(['domain', 'list', '--profile', name]);
    expect(exitCode).toBe(4);
    expect(stderr.split('\n')).toContain(
      `Hint: There are no profiles yet. Create one with: ${line}`,
    );
  },
);

test.each(['--json', '--jsonl'])(
  'a damaged file is reported in the error of %s, too',
  async (flag) => {
    const world = createWorld();
    await world.run('config set retries 2');
    const path = `${world.home}/.config/mailer/config.json`;
    writeFileSync(path, '{');
    const outcome = await world.run(`email list ${flag}`);
    expect(outcome.exitCode).toBe(3);
    const { code, hint } = errorOf(outcome);
    expect(code).toBe('auth');
    expect(hint).toMatch(
      /\n.*config\.json is damaged \(it is not JSON\) and was set aside as .*\. Repair /,
    );
  },
);

test.each<[string, (path: string) => void, string]>([
  ['a directory', (path) => mkdirSync(path), 'Move it away'],
  ['a link in a circle', (path) => symlinkSync(path, path), 'Remove it'],
])('%s in place of a file: an error with its path and the fix', async (_, put, step) => {
  for (const name of ['config.json', 'config.lock']) {
    const world = createWorld();
    const directory = `${world.home}/.config/mailer`;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    put(`${directory}/${name}`);
    const { exitCode, stderr } = await world.run('config set retries 2');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${directory}/${name}: `);
    expect(stderr).toContain(`Hint: ${step}, or set another directory in MAILER_CONFIG_DIR.`);
  }
});

test('path says where the file is', async () => {
  const world = createWorld();
  expect((await world.run('config path')).stdout).toBe(
    `${world.home}/.config/mailer/config.json\n`,
  );
  const moved = await world.run('config path --json', { env: { MAILER_CONFIG_DIR: 'here' } });
  expect(JSON.parse(moved.stdout)).toEqual({ path: `${world.home}/here/config.json` });
});

test('the output setting applies on a terminal, and a flag overrides it', async () => {
  const world = createWorld();
  await world.run('config set output json');
  const onTerminal = await world.run('config get output', { terminal: 80 });
  expect(JSON.parse(onTerminal.stdout)).toMatchObject({ value: 'json' });
  expect((await world.run('config get output --quiet', { terminal: 80 })).stdout).toBe('json\n');
  // A script gets the same from every account.
  expect((await world.run('config get output')).stdout).toBe('json\n');
});
