import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { System } from '../system/system.ts';
import { shellQuote } from '../text/shell-quote.ts';
import { baseDirectory, cache, data, type Kind, state } from './base-directories.ts';
import { elsewhere, fileErrorReason, firstStep, isFileError } from './file-errors.ts';
import { posix } from './foreign.ts';
import { homeOf, UnreachablePlace } from './home-directory.ts';

type BaseSystem = Pick<System, 'env' | 'platform' | 'homeDirectory'>;
type DirectorySystem = BaseSystem & Pick<System, 'cwd'>;
type StateSystem = DirectorySystem & Pick<System, 'user'>;

/** Data of the embedded service: `MAILER_SANDBOX_DIR`, else the platform's directory. */
export function sandboxDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(system.cwd, env.MAILER_SANDBOX_DIR);
  return join(base(system, data, 'MAILER_SANDBOX_DIR'), 'sandbox');
}

/** Journals of bulk runs. Throws an `UnreachablePlace` if another user owns it. */
export function runsDirectory(system: StateSystem): string {
  return ownState(system, runsIn);
}

/** The same below a state directory, or below the embedded service's data for its own runs. */
export const runsIn = (directory: string) => join(directory, 'runs');

/** Whom imports into contact books have asked to confirm. Throws like `runsDirectory`. */
export function importsDirectory(system: StateSystem): string {
  return ownState(system, importsIn);
}

/** The same below a state directory, or below the embedded service's data. */
export const importsIn = (directory: string) => join(directory, 'imports');

/** Ids of what each account created last. */
export function lastMadeDirectory(system: DirectorySystem): string {
  return lastMadeIn(stateDirectory(system));
}

/** The same below a state directory, or below the embedded service's data. */
export const lastMadeIn = (directory: string) => join(directory, 'last');

/** Counts of recipients mailed today, for policies that limit them. Throws like `runsDirectory`. */
export function mailedDirectory(system: StateSystem): string {
  return ownState(system, mailedIn);
}

/** The same below a state directory, or below the embedded service's data. */
export const mailedIn = (directory: string) => join(directory, 'mailed');

/** When requests began whose outcome is not known. */
export function begunDirectory(system: DirectorySystem): string {
  return begunIn(stateDirectory(system));
}

/** The same below a state directory, or below the embedded service's data. */
export const begunIn = (directory: string) => join(directory, 'begun');

/** What the program records: `MAILER_STATE_DIR`, else the platform's directory. */
function stateDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_STATE_DIR) return resolve(system.cwd, env.MAILER_STATE_DIR);
  return base(system, state, 'MAILER_STATE_DIR');
}

/**
 * A directory below the state directory. Another user who owned it could change what was sent, and what still is:
 * runs would be sent again, people asked again, or limits exceeded.
 */
function ownState(system: StateSystem, within: (directory: string) => string): string {
  const directory = stateDirectory(system);
  const path = within(directory);
  for (const one of [directory, path]) {
    const owner = ownerOf(one);
    if (owner === undefined || owner === system.user || owner === 0) continue;
    if (system.user === undefined) continue;
    const chown = shellQuote(['chown', '-R', String(system.user), one], posix);
    throw new UnreachablePlace(
      `User ${owner} owns ${one}, and could change what mailer records there. Nothing was sent.`,
      {
        hint: `Set MAILER_STATE_DIR to a directory of your own, or check what is there and run: ${chown}`,
      },
    );
  }
  return path;
}

/** The user who owns a state directory; undefined if there is none. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid;
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UnreachablePlace(
      `Cannot read ${path}: ${fileErrorReason(error)}. Nothing was sent.`,
      {
        hint: elsewhere('MAILER_STATE_DIR', firstStep(error)),
        cause: error,
      },
    );
  }
}

/** The platform's cache directory. */
export function cacheDirectory(system: BaseSystem): string {
  return base(system, cache, 'XDG_CACHE_HOME');
}

/** `variable` names another place, for users without a home directory. */
function base(system: BaseSystem, kind: Kind, variable: string): string {
  return baseDirectory(system, kind, () => homeOf(system, variable));
}
