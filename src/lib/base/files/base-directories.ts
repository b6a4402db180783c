import { isAbsolute, join } from 'node:path';
import type { System } from '../system/system.ts';

/** The platforms' directories for one kind of files. */
export interface Kind {
  readonly xdg: string;
  /** Below the home directory. */
  readonly unix: readonly string[];
  readonly mac: readonly string[];
  readonly windows: string;
}

const support = ['Library', 'Application Support'];
export const data: Kind = {
  xdg: 'XDG_DATA_HOME',
  unix: ['.local', 'share'],
  mac: support,
  windows: 'Data',
};
export const state: Kind = {
  xdg: 'XDG_STATE_HOME',
  unix: ['.local', 'state'],
  mac: support,
  windows: 'State',
};
export const cache: Kind = {
  xdg: 'XDG_CACHE_HOME',
  unix: ['.cache'],
  mac: ['Library', 'Caches'],
  windows: 'Cache',
};

/**
 * The program's directory (XDG Base Directory Specification; Apple's and Microsoft's conventions).
 */
export function baseDirectory(
  { env, platform }: Pick<System, 'env' | 'platform'>,
  { xdg, unix, mac, windows }: Kind,
  home: () => string,
): string {
  switch (platform) {
    case 'darwin':
      return join(home(), ...mac, 'mailer');
    case 'win32':
      return join(env.LOCALAPPDATA || join(home(), 'AppData', 'Local'), 'mailer', windows);
    default: {
      // The XDG specification ignores relative paths.
      const own = env[xdg] ?? '';
      return join(isAbsolute(own) ? own : join(home(), ...unix), 'mailer');
    }
  }
}
