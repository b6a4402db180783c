// node scripts/release/smoke.js PROGRAM: checks whether a built or installed mailer works on this system.
// It needs no packages, so that it runs where there is only the program. It prints a line for each thing
// that works, and ends with 1 at the first that does not.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('node scripts/release/smoke.js PROGRAM');
// Absolute, because it runs in another directory; a name without a path is looked up in PATH.
const program = /[\\/]/.test(given) ? resolve(given) : given;

const home = mkdtempSync(join(tmpdir(), 'mailer-smoke-'));
const folder = join(home, 'a folder');
mkdirSync(folder);
const env = {
  ...process.env,
  HOME: home,
  USERPROFILE: home,
  XDG_CACHE_HOME: join(home, 'cache'),
  MAILER_CONFIG_DIR: join(home, 'config'),
  MAILER_STATE_DIR: join(home, 'state'),
  MAILER_SANDBOX_DIR: join(home, 'sandbox'),
};
for (const name of ['MAILER_API_KEY', 'MAILER_BASE_URL', 'MAILER_PROFILE']) delete env[name];

/** Promises for the end of each process, which may come before anybody waits for it. */
const closings = new Map();
const isWindows = process.platform === 'win32';
const from = ['--from', 'hello@example.com'];
let server;
try {
  await checkAll();
} finally {
  if (server !== undefined) await end(server);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function checkAll() {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  assert.equal((await run(['--version'])).stdout.trim(), version);
  works('--version');

  const content = ['--to', 'ana@example.org', '--subject', 'Smoke', '--text', 'Text'];
  const sent = await run(['email', 'send', '--sandbox', ...from, ...content, '--wait', '--json']);
  assert.equal(JSON.parse(sent.stdout).emailEvents[0].status, 'DELIVERED');
  works('email send, to the embedded sandbox');

  writeFileSync(
    join(folder, 'people.csv'),
    'to,name\r\nana@example.org,Ana\r\nben@example.org,Ben\r\n',
  );
  const letter = ['--subject', '{{name}}', '--text', 'Text', '--yes', '--quiet'];
  const batch = ['email', 'batch', 'people.csv', '--sandbox', ...from, ...letter];
  await run(batch);
  // The second time, its journal shows that everything is done.
  await run(batch);
  const list = await run(['email', 'list', '--sandbox', '--fields', 'subject', '--jsonl']);
  const subjects = list.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).subject);
  assert.deepEqual(subjects.slice(0, 3).sort(), ['Ana', 'Ben', 'Smoke']);
  works('email batch, once');

  const misspelt = await run(['emial', 'list'], { exitCode: 2 });
  assert.match(misspelt.stderr, /email/);
  works('a word that is misspelt');

  server = start(['sandbox', 'start', '--port', '0', '--json']);
  const { url, baseUrl, apiKey } = JSON.parse(await firstLine(server));
  assert.match(await (await fetch(url)).text(), /Smoke/);
  works('sandbox start, and its inbox');

  await run(['login', '--base-url', baseUrl, '--with-token'], { input: `${apiKey}\r\n` });
  assert.match((await run(['whoami', '--json'])).stdout, /127\.0\.0\.1/);
  const domains = JSON.parse((await run(['domain', 'list', '--json'])).stdout);
  assert.deepEqual(domains.map(({ name }) => name).sort(), [
    'example.com',
    'example.net',
    'example.org',
  ]);
  works('login, and requests over HTTP');
}

/** Runs a command line to its end. */
async function run(words, { input = '', exitCode = 0 } = {}) {
  const child = start(words);
  // It may end without reading its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closings.get(child),
  ]);
  assert.equal(code, exitCode, `mailer ${words.join(' ')}\n${stdout}${stderr}`);
  return { stdout, stderr };
}

function start(words) {
  // npm installs a script for cmd there; none of these words is special to cmd.
  const shell = isWindows && !program.endsWith('.exe');
  const child = spawn(program, words, { cwd: folder, env, shell });
  closings.set(child, once(child, 'close'));
  return child;
}

async function firstLine(child) {
  let line = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    line += chunk;
    if (line.includes('\n')) return line;
  }
  throw new Error(`no line on stdout: ${await text(child.stderr)}`);
}

/** Ends a process, and on Windows also what its script has started. */
async function end(child) {
  child.stdout.resume();
  child.stderr.resume();
  if (isWindows) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
  else child.kill('SIGTERM');
  await closings.get(child);
}

function works(what) {
  console.log(`ok: ${what}`);
}
