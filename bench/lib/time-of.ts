import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { home } from './directories.ts';

export interface Process {
  /** An executable and its arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A text that stdout contains if the process did its work. */
  readonly prints?: string;
}

/**
 * Milliseconds from the start of a process to its end. Unlike `measure`, loads nothing into the process.
 * Throws if it fails, or does not print what it should.
 */
export async function timeOf({ command, env = {}, prints = '' }: Process): Promise<number> {
  const [file = '', ...words] = command;
  const started = performance.now();
  const child = spawn(file, words, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [exitCode] = await once(child, 'close');
  const took = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${stderr}`);
  if (!stdout.includes(prints)) throw new Error(`${command.join(' ')} printed: ${stdout}`);
  return took;
}
