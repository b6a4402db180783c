import { isAbsolute, join, resolve } from 'node:path';
import type { System } from './system.ts';

type DirectorySystem = Pick<System, 'env' | 'platform' | 'homeDirectory' | 'cwd'>;

/**
 * Where the embedded service keeps its data: `MAILER_SANDBOX_DIR`, else below the data directory of
 * the platform (XDG Base Directory Specification; Apple's and Microsoft's conventions).
 */
export function sandboxDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(system.cwd, env.MAILER_SANDBOX_DIR);
  return join(base(system, 'XDG_DATA_HOME', ['.local', 'share'], 'Data'), 'sandbox');
}

/** Where the journals of bulk runs are: `MAILER_STATE_DIR`, else as the platform has it. */
export function runsDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_STATE_DIR) return join(resolve(system.cwd, env.MAILER_STATE_DIR), 'runs');
  return join(base(system, 'XDG_STATE_HOME', ['.local', 'state'], 'State'), 'runs');
}

/** The directory of this program in a base directory of the platform. */
function base(
  { env, platform, homeDirectory }: DirectorySystem,
  xdg: string,
  unix: readonly string[],
  windows: string,
): string {
  switch (platform) {
    case 'darwin':
      return join(homeDirectory, 'Library', 'Application Support', 'mailer');
    case 'win32':
      return join(env.LOCALAPPDATA || join(homeDirectory, 'AppData', 'Local'), 'mailer', windows);
    default: {
      // The XDG specification has relative paths ignored.
      const own = env[xdg] ?? '';
      return join(isAbsolute(own) ? own : join(homeDirectory, ...unix), 'mailer');
    }
  }
}

/** Where things are kept that can be had again: the cache directory of the platform. */
export function cacheDirectory(system: Pick<System, 'env' | 'platform' | 'homeDirectory'>): string {
  const { env, platform, homeDirectory } = system;
  switch (platform) {
    case 'darwin':
      return join(homeDirectory, 'Library', 'Caches', 'mailer');
    case 'win32':
      return join(env.LOCALAPPDATA || join(homeDirectory, 'AppData', 'Local'), 'mailer', 'Cache');
    default:
      // As above.
      return join(
        isAbsolute(env.XDG_CACHE_HOME ?? '')
          ? (env.XDG_CACHE_HOME ?? '')
          : join(homeDirectory, '.cache'),
        'mailer',
      );
  }
}
