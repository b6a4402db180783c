import { existsSync, realpathSync, renameSync } from 'node:fs';
import { DamagedConfig } from './shape.ts';
import type { ConfigStorage } from './storage.ts';
import type { Config } from './types.ts';

/**
 * What `storage` holds. A damaged file is renamed to `config.json.damaged-<time>` and reported, and
 * counts as empty. Called under the lock: of two processes only one finds the damage.
 */
export function readOrSetAside(options: {
  path: string;
  storage: ConfigStorage;
  warn: (text: string) => void;
  now: () => number;
}): Config {
  const { path, storage, warn, now } = options;
  try {
    return storage.read();
  } catch (error) {
    if (!(error instanceof DamagedConfig)) throw error;
    // Of a symbolic link it is the target that is damaged; the link stays for the next write.
    const damaged = realpathSync(path);
    const aside = freeName(`${damaged}.damaged-${stamp(now())}`);
    renameSync(damaged, aside);
    warn(
      `${damaged} is damaged (${error.message}) and was set aside as ${aside}. ` +
        'Repair it and move it back, or log in again.',
    );
    return storage.read();
  }
}

/** UTC, such as `20260131T090000Z`: no colons, which Windows does not allow in names. */
function stamp(now: number): string {
  return new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
}

function freeName(name: string): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name}-${count}`;
    if (!existsSync(candidate)) return candidate;
  }
}
