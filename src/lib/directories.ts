import { isAbsolute, join, resolve } from 'node:path';
import type { System } from './system.ts';

/**
 * Where the embedded service keeps its data: `MAILER_SANDBOX_DIR`, else the data directory of the
 * platform (XDG Base Directory Specification; Apple's and Microsoft's conventions).
 */
export function sandboxDirectory(
  system: Pick<System, 'env' | 'platform' | 'homeDirectory' | 'cwd'>,
): string {
  const { env, platform, homeDirectory, cwd } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(cwd, env.MAILER_SANDBOX_DIR);
  switch (platform) {
    case 'darwin':
      return join(homeDirectory, 'Library', 'Application Support', 'mailer', 'sandbox');
    case 'win32':
      return join(
        env.LOCALAPPDATA || join(homeDirectory, 'AppData', 'Local'),
        'mailer',
        'Data',
        'sandbox',
      );
    default:
      // The XDG specification has relative paths ignored.
      return join(
        isAbsolute(env.XDG_DATA_HOME ?? '')
          ? (env.XDG_DATA_HOME ?? '')
          : join(homeDirectory, '.local', 'share'),
        'mailer',
        'sandbox',
      );
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
