import { text } from 'node:stream/consumers';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Runs a file for Node to its end in a thread, which takes a tenth of the time of a process. */
export async function runInThread(
  file: string,
  words: readonly string[],
  options: Pick<WorkerOptions, 'env' | 'execArgv'> = {},
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const thread = new Worker(file, {
    ...{ execArgv: [], ...options, argv: [...words] },
    ...{ stdout: true, stderr: true },
  });
  const ended = new Promise<number>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', resolve);
  });
  const [exitCode, stdout, stderr] = await Promise.all([
    ended,
    text(thread.stdout),
    text(thread.stderr),
  ]);
  return { exitCode, stdout, stderr };
}
