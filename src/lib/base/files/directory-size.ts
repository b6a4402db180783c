import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';

/** Size of the files directly in a directory, in bytes; 0 if it cannot be read. Files that are being removed do not count. */
export function directorySize(directory: string): number {
  const sizeOf = (name: string) =>
    statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
  return attempt(() => readdirSync(directory).reduce((sum, name) => sum + sizeOf(name), 0), 0);
}
