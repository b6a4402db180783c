import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';

/**
 * Opens only a regular file: a pipe would block, ignoring even Ctrl-C, and some devices have no
 * end. `flags` are those of `open(2)`. Throws Node's errors, or similar ones (`ENOTFILE`,
 * `EISDIR`).
 */
export function openRegular(path: string, flags: number, mode?: number): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags | constants.O_NONBLOCK, mode);
  } catch (error) {
    const stats = statSync(path, { throwIfNoEntry: false });
    // A pipe without a reader, or a socket, fails already here: say what it is.
    throw stats === undefined || isPlain(stats) ? error : notAFile(path, stats);
  }
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return descriptor;
  closeSync(descriptor);
  throw notAFile(path, stats);
}

/** The text of a regular file. Throws like `openRegular`. */
export function readRegular(path: string): string {
  const descriptor = openRegular(path, constants.O_RDONLY);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Throws like `openRegular` but does not open the file: closing it would drop SQLite's locks. */
export function assertRegular(path: string): void {
  const stats = statSync(path);
  if (!stats.isFile()) throw notAFile(path, stats);
}

function isPlain(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory();
}

function notAFile(path: string, stats: Stats): NodeJS.ErrnoException {
  const code = stats.isDirectory() ? 'EISDIR' : 'ENOTFILE';
  const message = `it is ${kindOf(stats)}, not a file`;
  return Object.assign(new Error(message), { code, syscall: 'open', path });
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
