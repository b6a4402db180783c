import { isAbsolute, join, resolve } from 'node:path';
import { homeOf } from './home-directory.ts';
import type { System } from './system.ts';

type BaseSystem = Pick<System, 'env' | 'platform' | 'homeDirectory'>;
type DirectorySystem = BaseSystem & Pick<System, 'cwd'>;

/** Where the platform has one kind of files, and what names another place for ours. */
interface Kind {
  readonly variable: string;
  readonly xdg: string;
  /** Below the home directory. */
  readonly unix: readonly string[];
  readonly mac: readonly string[];
  readonly windows: string;
}

const support = ['Library', 'Application Support'];
const data: Kind = {
  variable: 'MAILER_SANDBOX_DIR',
  xdg: 'XDG_DATA_HOME',
  unix: ['.local', 'share'],
  mac: support,
  windows: 'Data',
};
const state: Kind = {
  variable: 'MAILER_STATE_DIR',
  xdg: 'XDG_STATE_HOME',
  unix: ['.local', 'state'],
  mac: support,
  windows: 'State',
};
const cache: Kind = {
  variable: 'XDG_CACHE_HOME',
  xdg: 'XDG_CACHE_HOME',
  unix: ['.cache'],
  mac: ['Library', 'Caches'],
  windows: 'Cache',
};

/**
 * Where the embedded service keeps its data: `MAILER_SANDBOX_DIR`, else below the data directory of
 * the platform (XDG Base Directory Specification; Apple's and Microsoft's conventions).
 */
export function sandboxDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(system.cwd, env.MAILER_SANDBOX_DIR);
  return join(base(system, data), 'sandbox');
}

/** Where the journals of bulk runs are: `MAILER_STATE_DIR`, else as the platform has it. */
export function runsDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_STATE_DIR) return join(resolve(system.cwd, env.MAILER_STATE_DIR), 'runs');
  return join(base(system, state), 'runs');
}

/** Where things are kept that can be had again: the cache directory of the platform. */
export function cacheDirectory(system: BaseSystem): string {
  return base(system, cache);
}

/** The directory of this program in a base directory of the platform. */
function base(system: BaseSystem, { variable, xdg, unix, mac, windows }: Kind): string {
  const { env, platform } = system;
  const home = () => homeOf(system, variable);
  switch (platform) {
    case 'darwin':
      return join(home(), ...mac, 'mailer');
    case 'win32':
      return join(env.LOCALAPPDATA || join(home(), 'AppData', 'Local'), 'mailer', windows);
    default: {
      // The XDG specification has relative paths ignored.
      const own = env[xdg] ?? '';
      return join(isAbsolute(own) ? own : join(home(), ...unix), 'mailer');
    }
  }
}
