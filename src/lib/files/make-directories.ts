import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFileError } from './file-errors.ts';

/**
 * Makes a directory and those above it, for their owner only. Throws Node's errors, about `path`.
 * Node's own `recursive` is not used, because it never returns where nothing can be made (`/proc`).
 */
export function makeDirectories(path: string): void {
  try {
    makeWithAbove(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    const { message, code, syscall } = error;
    throw Object.assign(new Error(message, { cause: error }), { code, syscall, path });
  }
}

function makeWithAbove(path: string): void {
  if (isDirectory(path)) return;
  const above = dirname(path);
  if (above !== path) makeWithAbove(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
