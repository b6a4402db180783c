import { basename, dirname, join } from 'node:path';
import { UsageError } from '../errors.ts';

/** An error of the operating system about a file. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'syscall' in error
  );
}

/** Why the configuration in `path` could not be read or written, and what to do about it. */
export function explainFileError(
  action: 'read' | 'write',
  path: string,
  error: NodeJS.ErrnoException,
): UsageError {
  // Of a link, the path of the error may be its target, which nobody is to remove.
  const lock = join(dirname(path), 'config.lock');
  const named = basename(error.path ?? '') === basename(lock) ? lock : path;
  return new UsageError(`Cannot ${action} ${named}: ${reasonOf(error)}.`, {
    hint: hintFor(error),
    cause: error,
  });
}

function hintFor(error: NodeJS.ErrnoException): string {
  if (spaceIsShort(error)) return 'Make room on the disk. What was there before is unchanged.';
  return elsewhere('MAILER_CONFIG_DIR', firstStep(error));
}

/** What to do about a path, where more can be done than to use another directory. */
export function firstStep({ code = '' }: NodeJS.ErrnoException): string | undefined {
  if (/^(ENOTFILE|ELOOP)$/.test(code)) return 'Remove it';
  if (code === 'EISDIR') return 'Move it away';
  return /^(EROFS|ENOTDIR|EEXIST)$/.test(code) ? undefined : 'Change its permissions or its owner';
}

/** A hint to do this, or to use another directory by a variable of the environment. */
export function elsewhere(variable: string, first: string | undefined): string {
  const other = `et another directory in ${variable}.`;
  return first === undefined ? `S${other}` : `${first}, or s${other}`;
}

/** Why, as the rest of a sentence. */
export function reasonOf(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? error.message;
}

/** Whether there is no room for what was to be written. */
export function spaceIsShort({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the limit on file sizes is reached',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory cannot be made',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'a part of its path is not a directory',
  ELOOP: 'a symbolic link there cannot be followed',
};
