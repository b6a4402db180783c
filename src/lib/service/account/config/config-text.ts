import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../../../shared/attempt.ts';
import { UsageError } from '../../../base/errors.ts';
import {
  elsewhere,
  fileErrorReason,
  firstStep,
  isFileError,
  spaceIsShort,
} from '../../../base/files/file-errors.ts';
import { UnreachablePlace } from '../../../base/files/home-directory.ts';
import { type Owner, readTrusted } from './trust.ts';

/** The text of the file; undefined if there is none. Throws like `ConfigFile.read`. */
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

/** Whether the file can be reached, even if it may not be read. */
function isReachable(path: string): boolean {
  return attempt(() => statSync(path), undefined) !== undefined;
}

/** Why the configuration in `path` could not be read or written, and what to do about it. */
export function explainConfigError(
  action: 'read' | 'write',
  path: string,
  error: NodeJS.ErrnoException,
): UsageError {
  // For a link, the error may name its target, which must not be removed.
  const lock = join(dirname(path), 'config.lock');
  const named = basename(error.path ?? '') === basename(lock) ? lock : path;
  return new UsageError(`Cannot ${action} ${named}: ${fileErrorReason(error)}.`, {
    hint: spaceIsShort(error)
      ? 'Free some disk space. The existing file is unchanged.'
      : elsewhere('MAILER_CONFIG_DIR', firstStep(error)),
    cause: error,
  });
}
