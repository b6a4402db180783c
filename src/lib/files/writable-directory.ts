import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether files can be made in a directory, once it has been made itself where there is none. */
export function isWritable(directory: string): boolean {
  try {
    const nearest = nearestExisting(directory);
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return statSync(nearest).isDirectory();
  } catch {
    return false;
  }
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return statSync(path, { throwIfNoEntry: false }) !== undefined || parent === path
    ? path
    : nearestExisting(parent);
}
