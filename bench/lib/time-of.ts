import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { home } from './directories.ts';

export interface Process {
  /** An executable and its arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Milliseconds from the start of a process to its end, with nothing loaded into it to look on, as
 * `measure` has it. Throws when it fails.
 */
export async function timeOf({ command, env = {} }: Process): Promise<number> {
  const [file = '', ...words] = command;
  const started = performance.now();
  const child = spawn(file, words, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TZ: 'UTC', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${stderr}`);
  return performance.now() - started;
}
