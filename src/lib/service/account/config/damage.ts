import { existsSync, realpathSync, renameSync } from 'node:fs';
import { DamagedConfig } from './config-shape.ts';
import type { Config } from './config-types.ts';
import { type ConfigStorage, filesBeside } from './storage.ts';
import { targetOf } from './trust.ts';

/**
 * The configuration in `storage`. A damaged file is renamed to `config.json.damaged-<time>`, reported, and
 * treated as empty. Call it under the lock, so that only one of two processes finds the damage.
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
    // Move the target of a symbolic link; the link stays for the next write.
    const damaged = realpathSync(path);
    const aside = freeName(`${damaged}.damaged-${stamp(now())}`);
    renameSync(damaged, aside);
    warn(
      `${damaged} is damaged (${error.message}) and was set aside as ${aside}. ` +
        'Repair it and move it back. Or log in again, set its policy again, and delete the damaged file.',
    );
    return storage.read();
  }
}

/** The damaged files beside `path` and its target. */
export function setAside(path: string): readonly string[] {
  return filesBeside(path, targetOf(path), /^\.damaged-/);
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
