import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { installProgram } from '../../support/installed.ts';
import { ctrlC } from '../../support/keys.ts';
import { type Need, needing } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import {
  createPlace,
  finished,
  isExecutable,
  node as newNode,
  program,
  root,
  temporaryDirectory,
} from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';
import { openTerminal } from '../../support/terminal.ts';
import { runInThread } from '../../support/thread.ts';

/** Versions that can parse bin/mailer.js but are too old for the rest. */
const tooOld = /^v(14|16|18|20|21)\.|^v22\.(\d|1[0-8])\./;

const candidates = [
  process.env.OLD_NODE ?? '',
  '/usr/bin/node',
  '/usr/local/bin/node',
  ...(process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'node')),
];
const oldNode = candidates.find((path) => existsSync(path) && tooOld.test(versionOf(path)));

function versionOf(node: string): string {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** An installed program. */
const home = mkdtempSync(join(tmpdir(), 'mailer-old-node-'));
const installed = join(home, 'package', 'bin', 'mailer.js');
/** The same in a checkout with its own Node. */
const checkout = join(home, 'checkout', 'bin', 'mailer.js');

beforeAll(() => {
  for (const file of [installed, checkout]) installProgram(dirname(dirname(file)));
  const own = join(home, 'checkout', 'node_modules', 'node', 'bin');
  mkdirSync(own, { recursive: true });
  symlinkSync(newNode, join(own, 'node'));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The first file of the program alone, with one that prints its words in the place of all others. */
function createFirstFile(): string {
  const directory = temporaryDirectory();
  cpSync(dirname(program), join(directory, 'bin'), { recursive: true });
  mkdirSync(join(directory, 'dist'));
  const others = {
    'compile-cache.cjs': 'exports.keepCompiledCode = () => {};',
    'process.cjs': "exports.runHere = (words) => process.stdout.write(words.join(' '));",
  };
  for (const [name, text] of Object.entries(others)) {
    writeFileSync(join(directory, 'dist', name), text);
  }
  return join(directory, 'bin', basename(program));
}

/** Runs it in a thread whose Node reports this version. */
async function runOn(version: string, file: string) {
  const preload = join(temporaryDirectory(), 'version.cjs');
  const versions = `{ ...process.versions, node: '${version}' }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  return await runInThread(file, ['--version'], { execArgv: ['--require', preload] });
}

/** The error of `file` on this version of Node; the page that it names is in the package. */
function refusal(version: string, file: string): string {
  const page = join(dirname(dirname(realpathSync(file))), 'docs', 'release.md');
  return `mailer needs Node 22.19 or newer; this is Node ${version}.\nIts executable needs no Node: ${page}\n`;
}

describe('a version of Node', () => {
  beforeEach(({ skip }) => skip(isExecutable, 'an executable needs no Node'));

  test.each(['14.0.0', '20.20.2', '21.99.0', '22.9.0', '22.18.9'])(
    'that is too old is %s',
    async (version) => {
      const file = createFirstFile();
      const stderr = refusal(version, file);
      expect(await runOn(version, file)).toEqual({ exitCode: 2, stdout: '', stderr });
    },
  );

  test.each(['22.19.0', '22.20.1', '23.0.0', '24.1.0', '100.0.0'])(
    'that is new enough is %s',
    async (version) => {
      expect(await runOn(version, createFirstFile())).toEqual({
        exitCode: 0,
        stdout: '--version',
        stderr: '',
      });
    },
  );

  test("is too old and the checkout's own cannot be started", async () => {
    const file = createFirstFile();
    const own = join(dirname(dirname(file)), 'node_modules', 'node', 'bin');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'node'), '', { mode: 0o600 });
    const { exitCode, stdout, stderr } = await runOn('20.0.0', file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(
      /^mailer needs Node 22\.19 or newer; this is Node 20\.0\.0, and the one of this checkout fails: spawn \S+ EACCES\.\nIts executable needs no Node: \S+\n$/,
    );
  });
});

const old: Need = { isMet: oldNode !== undefined, why: 'there is no old Node; OLD_NODE names one' };

describe('on an old Node', needing(old), () => {
  const node = oldNode ?? '';

  beforeEach(({ skip }) => skip(isExecutable, 'an executable needs no Node'));

  test('an installed program has an error with the version it needs', async () => {
    const file = installed;
    const { exitCode, stdout, stderr } = await createPlace().run('email list', { node, file });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(refusal(versionOf(node).trim().slice(1), file));
  });

  test('the build has an error of one line with the version it needs', async () => {
    const build = join(root, 'scripts', 'build', 'build.js');
    const words = [build, '--outdir', temporaryDirectory()];
    const { exitCode, stderr } = await execa(node, words, { reject: false });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^The build needs Node 22\.18 or newer; this is [\d.]+\. Use: npm run build$/,
    );
  });

  describe('a checkout hands over to its own Node', () => {
    test('with words, streams and exit code', async () => {
      const file = checkout;
      const place = createPlace();
      const words = ['email', 'send', '--sandbox', '--to', 'a@example.com', '--text-file', '-'];
      const more = ['--from', 'hello@example.com', '--subject', 'Two  words'];
      const sent = await place.run([...words, ...more], { node, file, input: 'Grüße' });
      expect(sent).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\w+\n$/) });
      const get = `email get ${sent.stdout.trim()} --sandbox --json`;
      const shown = await runHere(place, get);
      expect(JSON.parse(shown.stdout)).toMatchObject({ subject: 'Two  words', text: 'Grüße' });
      const missing = await place.run('email get none --sandbox', { node, file });
      expect(missing).toMatchObject({ exitCode: 4, stdout: '' });
      expect(missing.stderr).toMatch(/^Error: /);
    });

    test.each([
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const)('with %s', async (signal, exitCode) => {
      const file = checkout;
      const service = await startRecorder(() => {});
      const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
      const started = place.start('email list', { node, file });
      await vi.waitFor(() => expect(service.requests).toHaveLength(1), { timeout: patience });
      started.kill(signal);
      expect(await finished(started)).toMatchObject({ exitCode, stdout: '' });
    });

    test('with a hang-up at any moment, which leaves no process behind', async () => {
      const service = await startRecorder();
      const place = createPlace({ MAILER_API_KEY: 'us_key' });
      const watch = `email watch --interval 1 --base-url ${service.baseUrl}`;
      const ended = Array.from({ length: 20 }, async (_, at) => {
        const started = place.start(watch, { node, file: checkout });
        await sleep(at * 30);
        started.kill('SIGHUP');
        // Before it listens, it is ended by the signal itself.
        expect([129, undefined]).toContain((await finished(started)).exitCode);
      });
      await Promise.all(ended);
      const left = await execa('pgrep', ['-f', service.baseUrl], { reject: false });
      expect(left.stdout).toBe('');
    });

    test('with Ctrl-C on a terminal, which is one signal and not two', async () => {
      const file = checkout;
      const place = createPlace();
      const line = 'mailer sandbox start --port 0; echo "exit code $?"';
      const terminal = openTerminal(place, line, { node, file });
      await terminal.shows('export MAILER_API_KEY');
      const mark = join(place.sandboxDirectory, 'running.json');
      expect(existsSync(mark)).toBe(true);
      terminal.type(ctrlC);
      await terminal.end();
      expect(terminal.text()).toContain('exit code 130');
      // A second signal would have ended the program before it could clean up.
      expect(existsSync(mark)).toBe(false);
    });

    test('with the exit code of the signal that ended the program', async () => {
      const file = checkout;
      const service = await startRecorder(() => {});
      const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
      const started = place.start('email list', { node, file });
      await vi.waitFor(() => expect(service.requests).toHaveLength(1), { timeout: patience });
      const { stdout } = await execa('pgrep', ['-P', String(started.pid)]);
      process.kill(Number(stdout), 'SIGKILL');
      expect((await finished(started)).exitCode).toBe(137);
    });
  });
});
