import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { baseDirectory, cache } from '../lib/base/files/base-directories.ts';
import { ownDirectory } from '../lib/base/files/own-files.ts';

/**
 * Makes Node keep compiled code in the user's own cache directory. Node trusts what it finds there, so only
 * the user may have access; Node's default directory is shared. Without a cache, start-up is only slower.
 */
export function keepCompiledCode(): void {
  const { env, platform } = process;
  // Node would not use the directory, so it is not created.
  if (env.NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const above = baseDirectory({ env, platform }, cache, () => env.HOME ?? '');
    const user = process.geteuid?.();
    const directory = ownDirectory(join(above, 'compiled'), user, { make: true });
    if (directory !== undefined && isPrivate(directory, user)) enableCompileCache(directory);
  } catch {
    // The directory is read-only, the disk is full, or a file has its name.
  }
}

/** Whether only the user can access a directory, whatever the modes of its contents. */
function isPrivate(directory: string, user: number | undefined): boolean {
  return user === undefined || (lstatSync(directory).mode & 0o077) === 0;
}
