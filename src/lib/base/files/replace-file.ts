import { rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file that only this user can read. A killed process leaves at most `PATH.new`. */
export async function replaceFile(path: string, text: string): Promise<void> {
  // A new file, because an existing one may be a pipe that nobody reads.
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
  await rename(fresh, path);
}
