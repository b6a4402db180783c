import { join, resolve } from 'node:path';
import type { System } from '../system/system.ts';
import { baseDirectory, cache, data, type Kind, state } from './base-directories.ts';
import { homeOf } from './home-directory.ts';

type BaseSystem = Pick<System, 'env' | 'platform' | 'homeDirectory'>;
type DirectorySystem = BaseSystem & Pick<System, 'cwd'>;

/** Data of the embedded service: `MAILER_SANDBOX_DIR`, else the platform's directory. */
export function sandboxDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(system.cwd, env.MAILER_SANDBOX_DIR);
  return join(base(system, data, 'MAILER_SANDBOX_DIR'), 'sandbox');
}

/** Journals of bulk runs. */
export function runsDirectory(system: DirectorySystem): string {
  return runsIn(stateDirectory(system));
}

/** The same below a state directory, or below the embedded service's data for its own runs. */
export const runsIn = (directory: string) => join(directory, 'runs');

/** Ids of what each account created last. */
export function lastMadeDirectory(system: DirectorySystem): string {
  return lastMadeIn(stateDirectory(system));
}

/** The same below a state directory, or below the embedded service's data. */
export const lastMadeIn = (directory: string) => join(directory, 'last');

/** Counts of recipients mailed today, for policies that limit them. */
export function mailedDirectory(system: DirectorySystem): string {
  return mailedIn(stateDirectory(system));
}

/** The same below a state directory, or below the embedded service's data. */
export const mailedIn = (directory: string) => join(directory, 'mailed');

/** What the program records: `MAILER_STATE_DIR`, else the platform's directory. */
function stateDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_STATE_DIR) return resolve(system.cwd, env.MAILER_STATE_DIR);
  return base(system, state, 'MAILER_STATE_DIR');
}

/** The platform's cache directory. */
export function cacheDirectory(system: BaseSystem): string {
  return base(system, cache, 'XDG_CACHE_HOME');
}

/** `variable` names another place, for users without a home directory. */
function base(system: BaseSystem, kind: Kind, variable: string): string {
  return baseDirectory(system, kind, () => homeOf(system, variable));
}
