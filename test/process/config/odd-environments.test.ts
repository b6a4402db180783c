import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needing, ofNode } from '../../support/needs.ts';
import { createPlace, finished, temporaryDirectory } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

const send = 'email send --sandbox --from hello@example.com --to a@b.c --subject x --text y';

const sendAt = (when: string) => [...send.split(' '), '--scheduled-at', when];

test.each([
  ['', '2099-01-01T09:00:00Z'],
  ['JST-9', '2099-01-01T00:00:00Z'],
  ['/usr/share/zoneinfo/Asia/Tokyo', '2099-01-01T00:00:00Z'],
])('TZ=%j: 9:00 is %s', async (TZ, expected) => {
  const { exitCode, stderr } = await createPlace({ TZ }).run(sendAt('2099-01-01T09:00'));
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`(${expected})`);
});

test.each([
  ['CET-1CEST', 'Europe/Berlin'],
  ['EST5EDT,M3.2.0,M11.1.0', 'America/New_York'],
  ['Nope/Bad', 'Europe/Berlin'],
])('TZ=%s is an error where a time depends on it', async (TZ, zone) => {
  const place = createPlace({ TZ });
  expect(await place.run(sendAt('2099-01-01T09:00'))).toMatchObject({
    exitCode: 2,
    stderr: `Error: --scheduled-at: "2099-01-01T09:00" depends on the time zone, and mailer does not understand TZ=${TZ}\nHint: Name the zone, as in --timezone ${zone}, or write the time with its offset from UTC.\n`,
  });
  const words = [...sendAt('2099-01-01T09:00'), '--timezone', 'Asia/Tokyo'];
  for (const line of [words, sendAt('2099-01-01T09:00+09:00'), sendAt('2h')]) {
    expect((await place.run(line)).exitCode).toBe(0);
  }
});

test('nothing is left among the temporary files', async () => {
  const temporary = temporaryDirectory();
  const place = createPlace({ TMPDIR: temporary });
  for (const words of [send, `${send} --wait`, 'email list --sandbox', 'config list', 'nonsense']) {
    await place.run(words);
  }
  expect(readdirSync(temporary)).toEqual([]);
});

test('an empty HOME is the home directory of the user, not the current one', async () => {
  const { stdout } = await createPlace({ HOME: '', MAILER_CONFIG_DIR: '' }).run('config path');
  expect(stdout.trim()).toBe(join(userInfo().homedir, '.config', 'mailer', 'config.json'));
});

test('a deleted current directory is an error only for commands that need one', async () => {
  const { shell } = createPlace();
  const gone = 'mkdir gone && cd gone && rmdir ../gone';
  const listed = await finished(
    shell(`${gone}; mailer --help; MAILER_CONFIG_DIR= mailer config path`),
  );
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.stdout).toContain('Usage: mailer <command>');
  const sent = await finished(
    shell(`${gone}; MAILER_SANDBOX_DIR= mailer ${send} --html-file x.html`),
  );
  const stderr = 'Error: The current directory is gone; change to another one.\n';
  expect(sent).toMatchObject({ exitCode: 2, stdout: '', stderr });
});

test('a key command with endless output is stopped, and nothing is stored', async () => {
  const { baseUrl, requests } = await startRecorder();
  const place = createPlace();
  const words = ['login', '--base-url', baseUrl, '--key-command', 'yes us_key_0123456789'];
  const { exitCode, stderr } = await place.run(words);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('Error: The key command failed');
  expect(requests).toEqual([]);
});

test('another program on the port of a killed sandbox is not mistaken for the sandbox', async () => {
  const other = await startRecorder({ body: 'hello' });
  const place = createPlace();
  const mark = JSON.stringify({ url: other.url, baseUrl: other.baseUrl });
  await place.shell(
    `mkdir -p "$MAILER_SANDBOX_DIR"; echo '${mark}' > "$MAILER_SANDBOX_DIR/running.json"`,
  );
  const { stdout } = await place.run('sandbox status --quiet');
  expect(stdout).toBe('stopped\n');
  expect(other.requests).toHaveLength(1);
});

test('a wait that nothing ends is no success', needing(ofNode), async () => {
  // A file without an end that keeps no process alive.
  const preload = join(temporaryDirectory(), 'preload.cjs');
  writeFileSync(
    preload,
    `const { Readable } = require('node:stream');
    require('node:fs').createReadStream = () => new Readable({ read() {} });`,
  );
  const place = createPlace({ NODE_OPTIONS: `--require=${preload}` });
  writeFileSync(join(place.home, 'text.txt'), 'Hello');
  const words = 'email send --to a@b.example --from c@d.example --subject x --text-file text.txt';
  const { exitCode, stdout } = await place.run(`${words} --dry-run`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});

test(
  'a name below localhost is this machine, whatever a resolver returns',
  needing(ofNode),
  async () => {
    const here = await startRecorder({ body: [] }, { body: [] });
    const { port } = new URL(here.url);
    const elsewhere: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      elsewhere.push(headers.authorization);
      response.end('[]');
    });
    await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.2', resolve));
    onTestFinished(() => {
      other.close();
    });
    // The system's resolver, as far as Node lets a test replace it.
    const resolver = join(temporaryDirectory(), 'resolver.cjs');
    writeFileSync(
      resolver,
      `require('node:dns').lookup = (host, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.2', family: 4 }]) : callback(null, '127.0.0.2', 4);`,
    );
    const place = createPlace({
      NODE_OPTIONS: `--require=${resolver}`,
      MAILER_API_KEY: 'us_key_1234567890',
    });
    for (const host of ['mail.localhost', 'localhost']) {
      const words = ['domain', 'list', '--json', '--base-url', `http://${host}:${port}/api`];
      expect(await place.run(words)).toMatchObject({ exitCode: 0, stdout: '[]\n', stderr: '' });
    }
    expect(elsewhere).toEqual([]);
    expect(here.requests).toHaveLength(2);
    const named = ['--base-url', `http://mail.example:${port}/api`, '--allow-http'];
    expect(await place.run(['domain', 'list', ...named])).toMatchObject({ exitCode: 0 });
    expect(elsewhere).toHaveLength(1);
  },
);
