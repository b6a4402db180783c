import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The Node that runs the program: this test's own, unless `MAILER_NODE` names another. */
export const node = resolve(root, process.env.MAILER_NODE || process.execPath);

/**
 * The program under test: the built one, unless `MAILER_BIN` names another: an installed `bin/mailer.js`, a
 * link to it, or an executable that needs no Node.
 */
export const program = realpathSync(resolve(root, process.env.MAILER_BIN || 'bin/mailer.js'));

/** Whether the program under test is an executable; then tests of the npm package are skipped. */
export const isExecutable = !/\.[cm]?js$/.test(program);

/** Whether something other than the built program on the toolchain's Node is under test. */
export const isAnother = Boolean(process.env.MAILER_BIN || process.env.MAILER_NODE);

/**
 * Flags of Node for the program: room for new objects from the beginning. Collecting them takes a tenth of a short
 * process, of which the tests start two thousand.
 */
const roomy = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** What to run, in place of the program under test. */
export interface Replacement {
  /** The Node to run it on; unused for an executable. */
  readonly node?: string;
  /** A file for Node. */
  readonly file?: string;
  /** Whether Node has no flags, for tests that measure memory. */
  readonly plain?: boolean;
}

/** The words that start the program, before its arguments. */
export function startOf(replacement: Replacement = {}): readonly [string, ...string[]] {
  if (isExecutable && replacement.file === undefined) return [program];
  const flags = replacement.plain === true ? [] : roomy;
  return [replacement.node ?? node, ...flags, replacement.file ?? program];
}

/** The same for a shell. */
export function shellStartOf(replacement?: Replacement): string {
  return startOf(replacement)
    .map((word) => `"${word}"`)
    .join(' ');
}

/** A shell script `mailer` for other programs to start. */
export const launcher = `#!/bin/sh\nexec ${shellStartOf()} "$@"\n`;

/** The compile cache, shared by all processes of a test run. */
const cache = join(tmpdir(), 'mailer-cache');

/** A user's machine for processes: a home directory and an environment, with nothing inherited. */
export interface Place {
  readonly home: string;
  /** The directory of the profiles. */
  readonly configDirectory: string;
  /** The directory of the sandbox's data. */
  readonly sandboxDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Starts the program; a string is split at spaces. A failure does not reject the promise. */
  start(words: string | readonly string[], options?: ProcessOptions): Started;
  /** Runs the program to its end. */
  run(words: string | readonly string[], options?: ProcessOptions): Promise<Finished>;
  /** Starts a shell command line in which `mailer` is the program. */
  shell(commandLine: string, options?: ProcessOptions): Started;
}

export interface ProcessOptions extends Replacement {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The program's stdin; empty if absent. */
  readonly input?: string;
}

export interface Finished {
  /** Undefined if a signal ended the process. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export type Started = ReturnType<typeof spawn>;

export function createPlace(env: Readonly<Record<string, string>> = {}): Place {
  const home = temporaryDirectory();
  const configDirectory = join(home, 'config');
  const sandboxDirectory = join(home, 'sandbox');
  const own: Record<string, string> = {
    // `node` in a shell is the Node of the program.
    PATH: [dirname(node), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    TMPDIR: tmpdir(),
    TZ: 'UTC',
    XDG_CACHE_HOME: cache,
    MAILER_CONFIG_DIR: configDirectory,
    MAILER_SANDBOX_DIR: sandboxDirectory,
    ...env,
  };
  const place: Place = {
    home,
    configDirectory,
    sandboxDirectory,
    env: own,
    start(words, { env = {}, input = '', ...replacement } = {}) {
      const [file, ...before] = startOf(replacement);
      return spawn(file, [...before, ...split(words)], { home, env: { ...own, ...env }, input });
    },
    async run(words, options) {
      return await finished(place.start(words, options));
    },
    shell(commandLine, { env = {}, input = '', ...replacement } = {}) {
      const define = `mailer() { ${shellStartOf(replacement)} "$@"; }`;
      const words = ['-c', `${define}\n${commandLine}`];
      return spawn('bash', words, { home, env: { ...own, ...env }, input });
    },
  };
  return place;
}

/** How a process ended, and its output. */
export async function finished(started: Started): Promise<Finished> {
  const { exitCode, signal, stdout, stderr } = await started;
  return { exitCode, signal, stdout, stderr };
}

/** Waits until a process has written this to stdout or stderr; throws if it ends without. Returns what it wrote there. */
export async function saying(
  started: Started,
  text: string,
  { on = 'stderr' }: { readonly on?: 'stdout' | 'stderr' } = {},
): Promise<string> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  started[on].on('data', (chunk) => {
    said += String(chunk);
    if (said.includes(text)) resolve();
  });
  void started.then(() => reject(new Error(`it ended without ${text}: ${said}`)));
  await promise;
  return said;
}

/** The words of a command line without quotes. */
export function split(words: string | readonly string[]): readonly string[] {
  return typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
}

/** A directory removed after the test or, if something still writes to it, after all tests. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mailer-process-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }).catch(() => {}));
  return directory;
}

interface SpawnOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

/** Starts a process that is killed at the end of the test. */
function spawn(file: string, words: readonly string[], { home, env, input }: SpawnOptions) {
  const started = execa(file, words, {
    cwd: home,
    env: { ...env },
    extendEnv: false,
    input,
    reject: false,
    stripFinalNewline: false,
  });
  onTestFinished(() => {
    started.kill('SIGKILL');
  });
  return started;
}
