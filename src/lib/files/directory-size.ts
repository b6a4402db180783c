import { promises } from 'node:fs';
import { join } from 'node:path';

/** Size of the files directly in a directory, in bytes; 0 if it does not exist. */
export async function directorySize(directory: string): Promise<number> {
  const names = await promises.readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => (await promises.stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
