import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';

const fileMode = 0o600;
const directoryMode = 0o700;
/** Of others' files in such a directory only their owners dispose: `/tmp`, which is not ours. */
const sticky = 0o1000;

/** Makes the directory and those above it, for their owner only. */
export function makeDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: directoryMode });
}

/**
 * Takes from others what they may do with the directory and the file, as far as both are ours,
 * and says so. Does nothing on Windows, where a home directory keeps others out by itself.
 */
export function tightenModes(directory: string, file: string, warn: (text: string) => void): void {
  if (platform() === 'win32') return;
  tighten(directory, directoryMode, warn);
  tighten(file, fileMode, warn);
}

function tighten(path: string, wanted: number, warn: (text: string) => void): void {
  const mode = modeOf(path);
  if (mode === undefined || (mode & 0o077) === 0 || (mode & sticky) !== 0) return;
  try {
    chmodSync(path, wanted);
  } catch {
    // Somebody else's, or a file system without modes: theirs to decide.
    return;
  }
  if (modeOf(path) === wanted) {
    warn(`Others could use ${path} (mode ${octal(mode)}); it is now ${octal(wanted)}.`);
  }
}

function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o7777;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
