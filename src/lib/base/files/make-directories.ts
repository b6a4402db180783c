import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFileError } from './file-errors.ts';

/**
 * Creates a directory and its missing parents, with mode 0700. Not by Node's `recursive`, which
 * never returns in `/proc`.
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
    // Another process may have created it first.
    if (!isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
