import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

export type ImageDisk = NonNullable<Awaited<ReturnType<typeof mountImage>>>;

/** Makes an ext4 file system of 8 MiB with the files of a directory; false where that cannot be done. */
export async function makeImage(image: string, files: string): Promise<boolean> {
  // Nothing is left to be written later: what the image holds is what a program had synced.
  const options = ['-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard', '-d', files];
  const words = ['-q', '-F', '-b', '4096', ...options, image, '8M'];
  return !(await execa('mkfs.ext4', words, { reject: false })).failed;
}

/**
 * Mounts an image at `path`; undefined where that is not allowed. Only processes that are started by it see
 * it, and it is unmounted when they and this one have ended, in whatever way.
 */
export async function mountImage(image: string, path: string) {
  // What is not synced stays in memory for 300 seconds, and so longer than the test takes.
  const script = 'mount -o loop,commit=300 "$0" "$1" && echo mounted && exec cat';
  const holder = execa(
    'unshare',
    ['--mount', '--propagation', 'private', 'sh', '-c', script, image, path],
    { reject: false, buffer: false, stderr: 'ignore' },
  );
  onTestFinished(() => {
    holder.kill('SIGKILL');
  });
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    holder.then(() => false),
  ]);
  if (!isMounted) return undefined;
  return {
    /** Where this process sees its files. */
    path: join('/proc', String(holder.pid), 'root', path),
    /** Starts a program in its directory. */
    start(words: readonly string[], env: Readonly<Record<string, string>>) {
      const within = ['--mount', `--target=${holder.pid}`, 'env', `--chdir=${path}`];
      const options = { env, extendEnv: false, reject: false, stdin: 'ignore' } as const;
      const started = execa('nsenter', [...within, ...words], options);
      onTestFinished(() => {
        started.kill('SIGKILL');
      });
      return started;
    },
    async unmount(): Promise<void> {
      holder.stdin.end();
      await holder;
    },
  };
}

/** Does something while a process stands still, and none of its calls is under way; or after it has ended. */
export async function whileStopped(
  { pid = 0, kill }: ReturnType<ImageDisk['start']>,
  work: () => void,
): Promise<void> {
  kill('SIGSTOP');
  while (!isStopped(pid)) await setImmediate();
  try {
    work();
  } finally {
    kill('SIGCONT');
  }
}

/** Whether all threads of a process are stopped, or it has ended: a call to the disk ends before. */
function isStopped(pid: number): boolean {
  const threads = `/proc/${pid}/task`;
  try {
    return readdirSync(threads).every((thread) =>
      /\) [TZX] /.test(readFileSync(`${threads}/${thread}/stat`, 'utf8')),
    );
  } catch {
    return true;
  }
}
