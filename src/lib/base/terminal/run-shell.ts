import { spawn } from 'node:child_process';
import { InterruptedError } from '../errors.ts';

/** Most bytes that are read of a shell command's output. */
const longestOutput = 64 * 1024;

/**
 * Runs a shell command line and returns its output. Ends it and rejects when `signal` is aborted.
 */
export function runShell(
  commandLine: string,
  signal: AbortSignal,
): Promise<{ stdout: string; exitCode: number }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(commandLine, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
    // Ctrl-C on a terminal reaches the command, too; a signal to only this process does not.
    // Programs that the shell started may live on, but must not keep this process waiting.
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
      // No key is that long. Without a reader, a command that prints for ever ends.
      if (size > longestOutput) child.stdout.destroy();
    });
    child.on('error', reject);
    child.on('close', (code, endedBy) => {
      signal.removeEventListener('abort', stop);
      // Ctrl-C on the terminal: the command may end before this process gets the signal.
      if (endedBy === 'SIGINT') return reject(new InterruptedError('Interrupted.'));
      resolve({ stdout: Buffer.concat(chunks).toString('utf8'), exitCode: code ?? 1 });
    });
  });
}
