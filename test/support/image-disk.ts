import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { type Need, works } from './needs.ts';

export type ImageDisk = Awaited<ReturnType<typeof mountImage>>;

/** Even root may not mount an image in a container. */
export const mountingImages: Need = {
  ...works(
    'd=$(mktemp -d) && mkfs.ext4 -q "$d/image" 8M && unshare --mount mount -o loop "$d/image" "$d"; s=$?; rm -r "$d"; exit $s',
    'e2fsprogs',
  ),
  why: 'no image of a file system can be mounted here',
};

/** Creates an ext4 file system of 8 MiB with the files of a directory. */
export async function makeImage(image: string, files: string): Promise<void> {
  // No lazy initialization, so that the image only changes by what a program syncs.
  const options = ['-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard', '-d', files];
  const words = ['-q', '-F', '-b', '4096', ...options, image, '8M'];
  await execa('mkfs.ext4', words);
}

/**
 * Mounts an image at `path`. Only processes that it starts see the mount,
 * which disappears when they and this process have ended, however they end.
 */
export async function mountImage(image: string, path: string) {
  // Unsynced data stays in memory for 300 seconds, longer than the test takes.
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
  if (!isMounted) throw new Error('The image cannot be mounted.');
  return {
    /** The path of its files for this process. */
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

/** Runs `work` while a process is stopped outside of any system call, or after it has ended. */
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

/** Whether all threads of a process are stopped, after any call to the disk, or it has ended. */
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
