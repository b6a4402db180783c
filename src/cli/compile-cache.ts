import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { baseDirectory, cache } from '../lib/files/base-directories.ts';
import { ownDirectory } from '../lib/files/own-files.ts';

/**
 * Has Node keep what it compiles of the files that are loaded from now on, in the user's own cache.
 * Node trusts what it finds there, so nobody else may get into that directory; the one that Node
 * itself would take is shared by all users. Without such a directory the program only starts more
 * slowly, so nothing is said of it.
 */
export function keepCompiledCode(): void {
  const { env, platform } = process;
  // Node would not use it then; it is not to be made either.
  if (env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const above = baseDirectory({ env, platform }, cache, () => env.HOME ?? '');
    const user = process.geteuid?.();
    const directory = ownDirectory(join(above, 'compiled'), user, { make: true });
    if (directory !== undefined && isPrivate(directory, user)) enableCompileCache(directory);
  } catch {
    // Read-only, full, or a file in its place.
  }
}

/** Whether nobody but the user can get at what is in a directory, whatever its modes. */
function isPrivate(directory: string, user: number | undefined): boolean {
  return user === undefined || (lstatSync(directory).mode & 0o077) === 0;
}
