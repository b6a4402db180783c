import { promises } from 'node:fs';
import { join } from 'node:path';

/** Bytes of the files in a directory, not of those below it; 0 where there is none. */
export async function directorySize(directory: string): Promise<number> {
  const names = await promises.readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await promises.stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
