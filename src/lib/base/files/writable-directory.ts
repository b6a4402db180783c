import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';

/** Whether files can be created in a directory. Creates the directory if it is missing. */
export function isWritable(directory: string): boolean {
  return attempt(() => {
    const nearest = nearestExisting(directory);
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return statSync(nearest).isDirectory();
  }, false);
}

function nearestExisting(path: string): string {
  const parent = dirname(path);
  return statSync(path, { throwIfNoEntry: false }) !== undefined || parent === path
    ? path
    : nearestExisting(parent);
}
