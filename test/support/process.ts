import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program under test: the built one, unless `MAILER_BIN` names another file to run on Node. */
export const program = process.env.MAILER_BIN || join(root, 'bin', 'mailer.js');

/** Shared by all processes of a test run, so that each does not compile the program anew. */
const cache = join(tmpdir(), `mailer-test-cache-${process.ppid}`);

/** A user's machine for processes: a home directory and an environment, nothing inherited. */
export interface Place {
  readonly home: string;
  /** Where the profiles are. */
  readonly configDirectory: string;
  /** Where the embedded service keeps its data. */
  readonly sandboxDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Starts the program; a string is split at spaces. Failing is no error of the promise. */
  start(words: string | readonly string[], options?: ProcessOptions): Started;
  /** Runs the program to its end. */
  run(words: string | readonly string[], options?: ProcessOptions): Promise<Finished>;
  /** Starts a shell command line in which `mailer` is the program. */
  shell(commandLine: string, options?: ProcessOptions): Started;
}

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the program reads; nothing when absent. */
  readonly input?: string;
  /** The Node to run it on; this test's own when absent. */
  readonly node?: string;
  /** File to run in place of the program. */
  readonly file?: string;
}

export interface Finished {
  /** Undefined when a signal ended the process. */
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
    // `node` in a shell is the Node of this test.
    PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
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
    start(words, { env = {}, input = '', node = process.execPath, file = program } = {}) {
      return spawn(node, [file, ...split(words)], { home, env: { ...own, ...env }, input });
    },
    async run(words, options) {
      return await finished(place.start(words, options));
    },
    shell(commandLine, { env = {}, input = '' } = {}) {
      const define = `mailer() { "${process.execPath}" "${program}" "$@"; }`;
      const words = ['-c', `${define}\n${commandLine}`];
      return spawn('bash', words, { home, env: { ...own, ...env }, input });
    },
  };
  return place;
}

/** How a process ended, and what it wrote. */
export async function finished(started: Started): Promise<Finished> {
  const { exitCode, signal, stdout, stderr } = await started;
  return { exitCode, signal, stdout, stderr };
}

/** The words of a command line without quotes. */
export function split(words: string | readonly string[]): readonly string[] {
  return typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
}

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mailer-process-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

interface SpawnOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

/** Starts a process that does not outlive its test. */
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
