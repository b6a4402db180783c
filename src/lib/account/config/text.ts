import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import {
  elsewhere,
  fileErrorReason,
  firstStep,
  isFileError,
  spaceIsShort,
} from '../../files/file-errors.ts';
import { UnreachablePlace } from '../../files/home-directory.ts';
import { type Owner, readTrusted } from './trust.ts';

/** The text of the file; undefined where there is none. Throws as `ConfigFile.read` does. */
export function readConfigText(path: string, owner: Owner): string | undefined {
  try {
    return readTrusted(path, owner);
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (/^(ENOENT|ENOTDIR)$/.test(error.code)) return undefined;
    const explained = explainConfigError('read', path, error);
    if (error.code !== 'EACCES' || isReachable(path)) throw explained;
    throw new UnreachablePlace(explained.message, explained.details);
  }
}

/** Whether there is a way to the file, which may be forbidden itself. */
function isReachable(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Why the configuration in `path` could not be read or written, and what to do about it. */
export function explainConfigError(
  action: 'read' | 'write',
  path: string,
  error: NodeJS.ErrnoException,
): UsageError {
  // Of a link, the path of the error may be its target, which nobody is to remove.
  const lock = join(dirname(path), 'config.lock');
  const named = basename(error.path ?? '') === basename(lock) ? lock : path;
  return new UsageError(`Cannot ${action} ${named}: ${fileErrorReason(error)}.`, {
    hint: spaceIsShort(error)
      ? 'Free some disk space. The existing file is unchanged.'
      : elsewhere('MAILER_CONFIG_DIR', firstStep(error)),
    cause: error,
  });
}
