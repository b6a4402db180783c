import { statSync } from 'node:fs';
import { explainFileError, isFileError } from '../files/config-file-error.ts';
import { UnreachablePlace } from '../files/home-directory.ts';
import { type Owner, readTrusted } from './config-trust.ts';

/** The text of the file; undefined where there is none. Throws as `ConfigFile.read` does. */
export function readIfThere(path: string, owner: Owner): string | undefined {
  try {
    return readTrusted(path, owner);
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (/^(ENOENT|ENOTDIR)$/.test(error.code)) return undefined;
    const explained = explainFileError('read', path, error);
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
