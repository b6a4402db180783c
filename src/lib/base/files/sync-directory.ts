import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFileError } from './file-errors.ts';

/** Names in a directory survive a power cut only once the directory itself is on disk. */
export function syncDirectory(path: string): void {
  let directory: number;
  try {
    directory = openSync(path, 'r');
  } catch {
    // Windows cannot open directories.
    return;
  }
  try {
    fsyncSync(directory);
  } catch (error) {
    // Some file systems can sync only files.
    if (!isFileError(error) || error.code !== 'EINVAL') throw error;
  } finally {
    closeSync(directory);
  }
}

/**
 * Syncs a directory and all above it: the process that created them may have been killed before it synced
 * them, and POSIX promises nothing about a name in a directory that was not synced.
 */
export function syncWithAbove(path: string): void {
  syncDirectory(path);
  if (dirname(path) !== path) syncWithAbove(dirname(path));
}
