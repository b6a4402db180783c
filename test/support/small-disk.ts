import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

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

/** A file system of `size` KiB mounted at `path`; undefined if mounting is not allowed. */
export async function mountSmallDisk(path: string, size: number): Promise<SmallDisk | undefined> {
  mkdirSync(path);
  const mounted = await execa('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'none', path], {
    reject: false,
  });
  if (mounted.failed) return undefined;
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
