import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

/** A file system of its own. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no room on it. */
  fill(): void;
  /** Takes away what fills it. */
  empty(): void;
}

/** A file system of so many KiB that is mounted at `path`; undefined where that is not allowed. */
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
        // The program may have taken some of the room meanwhile: then it is full as well.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    empty: () => rmSync(filler),
  };
}
