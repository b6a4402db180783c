import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { InterruptedError, UsageError } from '../errors.ts';
import type { NodeProcess, System } from '../system/system.ts';

/** Longest line, in characters. No service takes emails of this size. */
const longestLine = 64 * 1024 * 1024;

/**
 * Runs a script in a separate Node process, which ends with this one. Its environment has none of
 * this program's variables, because the script may run code that must not see a key. What it prints
 * goes to the terminal.
 */
export function startNode(
  script: string,
  { node, env, cwd, signal }: Pick<System, 'node' | 'env' | 'cwd' | 'signal'>,
): NodeProcess {
  // Bun, in the executable, is not Node, so the user's own Node runs the script.
  const executable = node.bun === undefined ? node.executable : 'node';
  const child = spawn(executable, ['--disable-warning=ExperimentalWarning', '-e', script], {
    cwd,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !/^MAILER_/i.test(name))),
    // What the script prints must not mix with its replies, so these have a pipe of their own.
    stdio: ['pipe', 2, 2, 'pipe'],
    windowsHide: true,
  });
  const questions = child.stdin as Writable; // A pipe, as `stdio` says.
  // Bun has none when Node cannot be started.
  const replies = child.stdio[3] as Readable | undefined;
  let asked: PromiseWithResolvers<string> | undefined;
  let failure: unknown;
  let read = '';
  const end = (reason: unknown) => {
    failure ??= reason;
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    asked?.reject(failure);
  };
  const stop = () => end(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
  child.on('error', (cause) => {
    const hint = 'Install Node 22.19 or newer, and put it on the PATH.';
    end(new UsageError('Node could not be started', { hint, cause }));
  });
  child.on('close', (code, by) => {
    // Ctrl-C on the terminal: the script may end before this process gets the signal.
    if (by === 'SIGINT') return end(new InterruptedError('Interrupted.'));
    end(new UsageError(`The Node process ended with ${by ?? `code ${code}`}`));
  });
  // `close` reports that the process has ended.
  questions.on('error', () => {});
  replies?.setEncoding('utf8').on('data', (chunk: string) => {
    read += chunk;
    if (read.length > longestLine)
      return end(new UsageError('The response of the Node process is too long'));
    if (!chunk.includes('\n')) return;
    const [line = ''] = read.split('\n', 1);
    read = read.slice(line.length + 1);
    asked?.resolve(line);
  });
  return {
    async ask(line) {
      if (failure !== undefined) throw failure;
      asked = Promise.withResolvers<string>();
      questions.write(`${line}\n`);
      return await asked.promise;
    },
    end: () => end(new Error('It was ended')),
  };
}
