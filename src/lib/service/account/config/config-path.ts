import { join, posix, win32 } from 'node:path';
import { homeOf } from '../../../base/files/home-directory.ts';
import type { System } from '../../../base/system/system.ts';

/**
 * `MAILER_CONFIG_DIR`, else the platform's directory (XDG Base Directory Specification; on macOS and
 * Windows as in the package env-paths). Throws an `UnreachablePlace` if it needs a home directory and there
 * is none.
 */
export function configDirectory(
  system: Pick<System, 'env' | 'platform' | 'homeDirectory' | 'cwd'>,
): string {
  const { env, platform } = system;
  const home = () => homeOf(system, 'MAILER_CONFIG_DIR');
  const paths = platform === 'win32' ? win32 : posix;
  if (env.MAILER_CONFIG_DIR) return paths.resolve(system.cwd, env.MAILER_CONFIG_DIR);
  if (platform === 'darwin') return paths.join(home(), 'Library', 'Preferences', 'mailer');
  if (platform === 'win32') {
    return paths.join(env.APPDATA || paths.join(home(), 'AppData', 'Roaming'), 'mailer', 'Config');
  }
  // The XDG specification says to ignore relative paths.
  const xdg = paths.isAbsolute(env.XDG_CONFIG_HOME ?? '') ? env.XDG_CONFIG_HOME : undefined;
  return paths.join(xdg ?? paths.join(home(), '.config'), 'mailer');
}

/** The path of the configuration in `directory`. */
export function configPath(directory: string): string {
  return join(directory, 'config.json');
}
