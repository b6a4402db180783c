import { spawn } from 'node:child_process';
import { InterruptedError } from '../errors.ts';

/** Bytes that are read of what a shell command prints. */
const longestOutput = 64 * 1024;

/** Runs a shell command line and returns its output. Once `signal` is aborted, ends it and rejects. */
export function runShell(
  commandLine: string,
  signal: AbortSignal,
): Promise<{ stdout: string; exitCode: number }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(commandLine, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
    // On a terminal Ctrl-C reaches the command too; a signal to this process alone does not. What
    // the shell has started may live on, and must not keep this process waiting.
    const stop = () => {
      child.kill();
      child.stdout.destroy();
      child.unref();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      // What prints for ever is no command for a key; without a reader it ends.
      if (size > longestOutput) child.stdout.destroy();
    });
    child.on('error', reject);
    child.on('close', (code, endedBy) => {
      signal.removeEventListener('abort', stop);
      // Ctrl-C on the terminal: this process may learn of it later than of the command's end.
      if (endedBy === 'SIGINT') return reject(new InterruptedError('Interrupted.'));
      resolve({ stdout: Buffer.concat(chunks).toString('utf8'), exitCode: code ?? 1 });
    });
  });
}
