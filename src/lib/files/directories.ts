import { join, resolve } from 'node:path';
import type { System } from '../system/system.ts';
import { baseDirectory, cache, data, type Kind, state } from './base-directories.ts';
import { homeOf } from './home-directory.ts';

type BaseSystem = Pick<System, 'env' | 'platform' | 'homeDirectory'>;
type DirectorySystem = BaseSystem & Pick<System, 'cwd'>;

/** The data of the embedded service: in `MAILER_SANDBOX_DIR`, else as the platform has it. */
export function sandboxDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(system.cwd, env.MAILER_SANDBOX_DIR);
  return join(base(system, data, 'MAILER_SANDBOX_DIR'), 'sandbox');
}

/** The journals of bulk runs. */
export function runsDirectory(system: DirectorySystem): string {
  return runsIn(stateDirectory(system));
}

/** The same within a directory of state, or of the embedded service's data for runs on it. */
export const runsIn = (directory: string) => join(directory, 'runs');

/** The ids of what each account has made last. */
export function lastMadeDirectory(system: DirectorySystem): string {
  return lastMadeIn(stateDirectory(system));
}

/** The same within a directory of state, or of the embedded service's data for what was made there. */
export const lastMadeIn = (directory: string) => join(directory, 'last');

/** How many were mailed today, where a policy limits that. */
export function mailedDirectory(system: DirectorySystem): string {
  return mailedIn(stateDirectory(system));
}

/** The same within a directory of state, or of the embedded service's data for what it sends. */
export const mailedIn = (directory: string) => join(directory, 'mailed');

/** What the program records: in `MAILER_STATE_DIR`, else as the platform has it. */
function stateDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_STATE_DIR) return resolve(system.cwd, env.MAILER_STATE_DIR);
  return base(system, state, 'MAILER_STATE_DIR');
}

/** The cache directory of the platform. */
export function cacheDirectory(system: BaseSystem): string {
  return base(system, cache, 'XDG_CACHE_HOME');
}

/** `variable` names another place where there is no home directory. */
function base(system: BaseSystem, kind: Kind, variable: string): string {
  return baseDirectory(system, kind, () => homeOf(system, variable));
}
