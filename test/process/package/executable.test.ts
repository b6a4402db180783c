import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Need, needing } from '../../support/needs.ts';
import { isExecutable, program, root, temporaryDirectory } from '../../support/process.ts';

beforeEach(({ skip }) => skip(!isExecutable, 'it is of the executable: MAILER_BIN=binary/mailer'));

/** Runs it with nothing else: an empty home directory and folder, and no Node. */
async function runAlone(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const home = temporaryDirectory();
  const cwd = join(home, 'here');
  mkdirSync(cwd);
  return await execa(program, words, {
    cwd,
    env: { HOME: home, PATH: home, TZ: 'UTC', ...env },
    extendEnv: false,
    reject: false,
  });
}

const send = ['email', 'send', '--sandbox', '--from', 'hello@example.com', '--to', 'a@example.org'];

test('it needs no other file', async () => {
  const sent = await runAlone([...send, '--subject', 'S', '--text', 'T', '--wait', '--json']);
  expect(sent).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(sent.stdout)).toHaveProperty('emailEvents.0.status', 'DELIVERED');
});

test('--jq filters, in a thread whose code is in the executable, too', async () => {
  const words = ['domain', 'list', '--sandbox', '--jq', '[.[].name] | sort | join(" ")'];
  expect(await runAlone(words)).toMatchObject({
    exitCode: 0,
    stdout: 'example.com example.net example.org',
    stderr: '',
  });
  const wrong = await runAlone(['domain', 'list', '--sandbox', '--jq', '.[']);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(JSON.parse(wrong.stderr).error.message).toContain('syntax error');
});

test('it has no private key, not even a sample', () => {
  // Bun has the words of such blocks, without content.
  const blocks = /PRIVATE KEY-----(?:\\r|\\n|[\r\n])+MI/;
  expect(blocks.test(readFileSync(program, 'latin1'))).toBe(false);
});

test("arguments are its own, even those like Bun's", async () => {
  const words = ['--subject', '--eval', '--text', '-p 1+1', '--dry-run', '--json'];
  const { exitCode, stdout } = await runAlone([...send, ...words]);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ body: { subject: '--eval', text: '-p 1+1' } });
});

test.each(['--version', '--help', 'completion bash', 'sandbox path'])(
  '%s writes nothing into the home directory',
  async (line) => {
    const home = temporaryDirectory();
    const { exitCode } = await runAlone(line.split(' '), { HOME: home });
    expect(exitCode).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  },
);

test('doctor shows its version of Bun, and needs no Node', async () => {
  // In the form that scripts/build/build-binary.js reads.
  const bun = readFileSync(join(root, 'scripts', 'build', 'bun', 'package.json'), 'utf8');
  const [, version] = /"@oven\/bun-linux-x64": "(.+)"/.exec(bun) ?? [];
  const { stdout } = await runAlone(['doctor', '--sandbox', '--json']);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly unknown[] };
  expect(checks[0]).toMatchObject({
    check: 'node',
    state: 'OK',
    detail: expect.stringContaining(`, with Bun ${version} (${program})`),
  });
});

/** Starts a site at a public address in a separate network, and then the program. */
const site = `
  const http = require('node:http'), { execFile } = require('node:child_process');
  const leads = { '/a': '/b', '/b': '/there', '/inner': 'http://127.0.0.1:8000/there' };
  http.createServer(({ url, method }, response) => {
    console.error(method, url);
    const location = leads[url];
    response.writeHead(location ? 302 : url === '/there' ? 200 : 404, location && { location }).end();
  }).listen(8000, '1.2.3.4', () => {
    const [program, ...words] = process.argv.slice(1);
    execFile(program, words, (_, stdout) => process.stdout.write(stdout, () => process.exit()));
  });
`;
const ownNetwork = [
  '-rn',
  'sh',
  '-c',
  'ip link set lo up && ip address add 1.2.3.4 dev lo && "$@"',
];
const network: Need = {
  isMet: spawnSync('unshare', [...ownNetwork, 'sh', 'true']).status === 0,
  why: 'this user cannot have a network of its own',
};

test('email check --links follows links, except into the network', needing(network), async () => {
  const home = temporaryDirectory();
  const paths = ['there', 'a', 'inner', 'none'];
  const links = paths.map((path) => `<p><a href="http://1.2.3.4:8000/${path}">x</a></p>`);
  writeFileSync(join(home, 'a.html'), links.join('\n'));
  const check = [program, 'email', 'check', join(home, 'a.html'), '--links', '--jsonl'];
  const words = [...ownNetwork, 'sh', process.execPath, '-e', site, '--', ...check];
  const { stdout, stderr } = await execa('unshare', words, { env: { HOME: home } });
  const findings = stdout.split('\n').map((line): Record<string, unknown> => JSON.parse(line));
  const others = ['dark-mode', 'link-http'];
  expect(findings.filter(({ code }) => !others.includes(String(code)))).toMatchObject([
    { code: 'link-redirect', line: 2 },
    { code: 'link-private', line: 3 },
    { code: 'link-broken', line: 4 },
  ]);
  expect([...new Set(stderr.split('\n'))].sort()).toEqual([
    'GET /none',
    ...['a', 'b', 'inner', 'none', 'there'].map((path) => `HEAD /${path}`),
  ]);
});

test.each(['domain list --retries 0', 'doctor'])(
  '%s reports plain text in the place of TLS that came with the response to CONNECT',
  async (line) => {
    const proxy = createServer();
    proxy.on('connect', (_, socket) => {
      socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n\r\nPlease log in.\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    // It listens on a port, so there is an AddressInfo.
    const { port } = proxy.address() as AddressInfo;
    const { exitCode, stdout, stderr } = await runAlone([...line.split(' '), '--timeout', '20'], {
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      MAILER_BASE_URL: 'https://mail.test/api',
      MAILER_API_KEY: 'us_key_1234567890',
    });
    expect(exitCode).toBe(7);
    expect(stdout + stderr).toContain('does not speak TLS on this port');
  },
);

test('NODE_OPTIONS are ignored', async () => {
  const { exitCode, stderr } = await runAlone(['--version'], {
    NODE_OPTIONS: '--require=/none.cjs --no-such-flag',
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('a key in a file of the current directory is ignored', async () => {
  const home = temporaryDirectory();
  writeFileSync(join(home, '.env'), 'MAILER_API_KEY=us_of_somebody\n');
  writeFileSync(join(home, 'bunfig.toml'), 'preload = ["./none.js"]\n');
  const { exitCode, stderr } = await execa(program, ['whoami'], {
    cwd: home,
    env: { HOME: home },
    extendEnv: false,
    reject: false,
  });
  expect(exitCode).toBe(3);
  expect(stderr).not.toContain('us_of_somebody');
});
