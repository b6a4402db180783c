import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { type Need, works } from './needs.ts';

/** Even root may not mount anything in a container. */
export const mounting: Need = {
  ...works(
    'd=$(mktemp -d) && mount -t tmpfs none "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
    'mount',
  ),
  why: 'no file system can be mounted here',
};

/** A small file system. */
export interface SmallDisk {
  readonly path: string;
  /** Fills it up. */
  fill(): void;
  /** Removes what fills it. */
  empty(): void;
  /** Makes it read-only. */
  close(): Promise<void>;
}

/** A file system of `size` KiB mounted at `path`. */
export async function mountSmallDisk(path: string, size: number): Promise<SmallDisk> {
  mkdirSync(path);
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'none', path]);
  onTestFinished(async () => {
    await execa('umount', ['--lazy', path]);
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // The program may have used some of the space meanwhile; then it is full as well.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    empty: () => rmSync(filler),
    async close() {
      await execa('mount', ['-o', 'remount,ro', path]);
    },
  };
}
