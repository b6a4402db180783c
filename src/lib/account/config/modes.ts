import { chmodSync, readdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { octal } from '../../text/octal.ts';

const fileMode = 0o600;
const directoryMode = 0o700;
/** In such a directory only a file's owner can delete it: `/tmp`, which is not ours. */
const sticky = 0o1000;

/** What others than its owner may use, and the mode that keeps them out. */
export interface Exposed {
  readonly path: string;
  readonly mode: number;
  readonly wanted: number;
}

/** The configuration's own files: the file, temporary and damaged ones, the lock. */
const ownName = /^config\.(json|lock)/;

/**
 * Directory and file, if there is one, where others may use them. The directory only while it holds
 * nothing but the configuration: it may be one that others need, such as `/etc`. None on Windows,
 * where a home directory keeps others out by itself.
 */
export function exposed(directory: string, file: string | undefined): Exposed[] {
  if (platform() === 'win32') return [];
  const places = [
    ...(isForConfigOnly(directory) ? [{ path: directory, wanted: directoryMode }] : []),
    ...(file === undefined ? [] : [{ path: file, wanted: fileMode }]),
  ];
  return places.flatMap(({ path, wanted }) => {
    const mode = modeOf(path);
    const isPrivate = mode === undefined || (mode & 0o077) === 0 || (mode & sticky) !== 0;
    return isPrivate ? [] : [{ path, mode, wanted }];
  });
}

function isForConfigOnly(directory: string): boolean {
  try {
    return readdirSync(directory).every((name) => ownName.test(name));
  } catch {
    // One that is not there, or that cannot be read.
    return false;
  }
}

/** Takes access to directory and file from others, as far as both are ours, with a warning. */
export function tightenModes(
  directory: string,
  file: string | undefined,
  warn: (text: string) => void,
): void {
  for (const one of exposed(directory, file)) tighten(one, warn);
}

function tighten({ path, mode, wanted }: Exposed, warn: (text: string) => void): void {
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
