import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Size of the files directly in a directory, in bytes; 0 if it cannot be read. Files that are being removed do not count. */
export function directorySize(directory: string): number {
  try {
    return readdirSync(directory)
      .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
  }
}
