import { chmodSync, readdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { attempt } from '../../../../shared/attempt.ts';
import { octal } from '../../../base/text/octal.ts';

const fileMode = 0o600;
const directoryMode = 0o700;
/** In a sticky directory such as `/tmp`, only a file's owner can delete it. */
const sticky = 0o1000;

/** A path to which others have access, and the mode that denies it. */
export type Exposed = ReturnType<typeof exposed>[number];

/** The configuration's own files: the file, temporary and damaged ones, the lock. */
const ownName = /^config\.(json|lock)/;

/**
 * The directory and file, where others have access to them. The directory is included only if it holds
 * nothing but the configuration: others may need it, as they need `/etc`. Nothing on Windows, where home
 * directories are private.
 */
export function exposed(directory: string, file: string | undefined) {
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
  // False if it does not exist, or cannot be read.
  return attempt(() => readdirSync(directory).every((name) => ownName.test(name)), false);
}

/** Denies others access to the directory and file if the user owns them, and warns about it. */
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
    // Another user's, or a file system without modes.
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
