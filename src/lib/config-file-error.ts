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
  return new UsageError(
    `Cannot ${action} ${path}: ${reasons[error.code ?? ''] ?? error.message}.`,
    {
      hint: spaceIsShort.test(error.code ?? '')
        ? 'Make room on the disk. What was there before is unchanged.'
        : 'Change its permissions or its owner, or name another directory in MAILER_CONFIG_DIR.',
      cause: error,
    },
  );
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory cannot be made',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'a part of its path is not a directory',
  ELOOP: 'its symbolic links lead in a circle',
};

const spaceIsShort = /^(ENOSPC|EDQUOT)$/;
