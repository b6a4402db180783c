import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { home } from './directories.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The built program. */
export const program = join(root, 'bin', 'mailer.js');
const peakMemory = pathToFileURL(join(root, 'bench', 'lib', 'peak-memory.js')).href;

/** Time and memory of one run of a process. */
export interface Sample {
  /** From start to end, in milliseconds. */
  readonly wall: number;
  /** From start to the first bytes on stdout, or on stderr if it is to fail, in milliseconds. */
  readonly first: number;
  /** Peak memory (resident set size), in KiB. */
  readonly memory: number;
}

export interface Command {
  /** A file for Node to run; the built program if absent. */
  readonly file?: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A file for its stdin; empty if absent. */
  readonly input?: string;
  /** The exit code that it must end with; 0 if absent. */
  readonly exitCode?: number;
  /** Prepares a run; not measured. */
  readonly before?: () => void;
  /** Throws if the run did not do its work. */
  readonly after?: () => void;
}

/** Running processes, killed when this one ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Runs a command to its end, reading its output as fast as it comes. Throws if it fails: an early failure
 * must not count as fast.
 */
export async function measure(command: Command): Promise<Sample> {
  const { file = program, words, exitCode: expected = 0 } = command;
  command.before?.();
  const started = performance.now();
  const child = start(command, 'pipe');
  const [stdout, errors, memoryPipe] = child.stdio.slice(1).map(readable);
  let first: number | undefined;
  stdout?.on('data', () => {
    first ??= performance.now() - started;
  });
  errors?.once('data', () => {
    if (expected !== 0) first ??= performance.now() - started;
  });
  const memory = textOf(memoryPipe);
  const stderr = textOf(errors);
  const [exitCode] = await once(child, 'close');
  const wall = performance.now() - started;
  if (exitCode !== expected || first === undefined) {
    throw new Error(`${file} ${words.join(' ')} ended with ${exitCode}: ${await stderr}`);
  }
  command.after?.();
  return { wall, first, memory: Number(await memory) };
}

/** Starts a command, and kills it as soon as `stop` resolves. Returns the milliseconds until then. */
export async function measureUntil(command: Command, stop: Promise<void>): Promise<number> {
  command.before?.();
  const started = performance.now();
  const child = start(command, 'ignore');
  const closed = once(child, 'close');
  await Promise.race([stop, closed.then(() => Promise.reject(new Error('It ended by itself')))]);
  const wall = performance.now() - started;
  child.kill('SIGKILL');
  await closed;
  return wall;
}

/** A program that runs until it is stopped. */
export interface Server {
  /** The first line it printed. */
  readonly line: string;
  /** Stops it. Resolves to its peak memory in KiB. */
  stop(): Promise<number>;
}

/** Starts a command that keeps running, and waits for its first line on stdout. */
export async function startServer(command: Command): Promise<Server> {
  const child = start(command, 'pipe');
  const [stdout, errors, memoryPipe] = child.stdio.slice(1).map(readable);
  const memory = textOf(memoryPipe);
  const stderr = textOf(errors);
  const closed = once(child, 'close');
  const line = await new Promise<string | undefined>((resolve) => {
    let text = '';
    stdout?.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    stdout?.on('close', () => resolve(undefined));
  });
  if (line === undefined) throw new Error(`${command.words.join(' ')} said: ${await stderr}`);
  return {
    line,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      return Number(await memory);
    },
  };
}

function start({ file = program, words, env = {}, input }: Command, output: 'pipe' | 'ignore') {
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const child = spawn(process.execPath, ['--import', peakMemory, file, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...env },
    stdio: [stdin, output, output, output],
  });
  if (typeof stdin === 'number') closeSync(stdin);
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

function readable(stream: unknown): Readable | undefined {
  return stream instanceof Readable ? stream : undefined;
}

async function textOf(stream: Readable | undefined): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += String(chunk);
  return text;
}
