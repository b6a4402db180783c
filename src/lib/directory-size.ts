import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files in a directory, not of those below it; 0 where there is none. */
export async function directorySize(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
