import { UsageError } from './errors.ts';

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
  // Another file of the configuration, perhaps.
  const named = error.code === 'ENOTFILE' ? (error.path ?? path) : path;
  return new UsageError(`Cannot ${action} ${named}: ${reasonOf(error)}.`, {
    hint: hintFor(error),
    cause: error,
  });
}

function hintFor(error: NodeJS.ErrnoException): string {
  if (spaceIsShort(error)) return 'Make room on the disk. What was there before is unchanged.';
  const first = error.code === 'ENOTFILE' ? 'Remove it' : 'Change its permissions or its owner';
  return `${first}, or set another directory in MAILER_CONFIG_DIR.`;
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
