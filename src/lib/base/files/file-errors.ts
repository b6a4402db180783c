import { UsageError } from '../errors.ts';

/** Whether this is the operating system's error about a file. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    'syscall' in error
  );
}

/** What to do about a path; undefined if only another directory helps. */
export function firstStep({ code = '' }: NodeJS.ErrnoException): string | undefined {
  if (/^(ENOTFILE|ELOOP)$/.test(code)) return 'Remove it';
  if (code === 'EISDIR') return 'Move it away';
  return /^(EROFS|ENOTDIR|EEXIST)$/.test(code) ? undefined : 'Change its permissions or its owner';
}

/** A hint to do this, or to set another directory in an environment variable. */
export function elsewhere(variable: string, first: string | undefined): string {
  const other = `et another directory in ${variable}.`;
  return first === undefined ? `S${other}` : `${first}, or s${other}`;
}

/** The reason, as the end of a sentence. */
export function fileErrorReason(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? error.message;
}

/** The error for something that cannot be written to; `flag` is the flag with this value, if any. */
export function cannotBeWritten(
  path: string,
  error: NodeJS.ErrnoException,
  flag?: string,
): UsageError {
  const reason = error.code === 'ENOENT' ? 'its directory does not exist' : fileErrorReason(error);
  const named = flag === undefined ? path : `${flag}: ${path}`;
  return new UsageError(`${named} cannot be written: ${reason}`, { cause: error });
}

/** Throws a `UsageError` for `-`, which is no stream here; nobody means a file of that name. */
export function refuseDash(flag: string, path: string, otherwise: string): void {
  if (path !== '-') return;
  throw new UsageError(`${flag}: - is not the name of a file`, {
    hint: `${otherwise} For a file of that name: ./-`,
  });
}

/** Whether there was not enough space to write. */
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
  ENOENT: 'its directory cannot be created',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'a part of its path is not a directory',
  ELOOP: 'a symbolic link there cannot be followed',
};
