import { join } from 'node:path';
import { isFileError } from '../../../base/files/file-errors.ts';
import { configPath } from './config-path.ts';
import { explainConfigError, readConfigText } from './config-text.ts';
import { type Config, emptyConfig } from './config-types.ts';
import { withLock } from './lock.ts';
import { tightenModes } from './modes.ts';
import { type Owner, targetOf, trustedWay } from './trust.ts';

/** The file with all profiles: service, key or key command, and settings. 0600 in a 0700 directory. */
export type ConfigFile = ReturnType<typeof openConfig>;

export interface ConfigOptions extends Owner {
  /** Absolute; created on the first write. */
  readonly directory: string;
  /** Takes warnings: a damaged file, repaired permissions. */
  readonly warn: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long to wait for another process to finish writing, in milliseconds; default 5000. */
  readonly lockTimeout?: number;
}

/** The configuration in `directory`. Touches no file before `read` or `update`. */
export function openConfig(options: ConfigOptions) {
  const { directory, warn } = options;
  const path = configPath(directory);
  return {
    /** The file's absolute path, even if it does not exist. */
    path,
    /**
     * The configuration; empty if there is no file. A damaged file is set aside and reported. Throws a
     * `UsageError` if it cannot be read; `UnreachablePlace` if others can write to it or block access to it.
     */
    async read(): Promise<Config> {
      const text = readConfigText(path, options);
      if (text === undefined) return emptyConfig;
      const { parseConfig, DamagedConfig } = await import('./config-shape.ts');
      tightenModes(directory, path, warn);
      try {
        return parseConfig(text, path);
      } catch (error) {
        if (!(error instanceof DamagedConfig)) throw error;
        // Another process may have been writing; read again under the lock to be certain.
        return await changeUnderLock(path, options, undefined);
      }
    },
    /**
     * Reads, changes and writes under a lock, so that no change by another process is lost. `change` must be
     * synchronous; if it throws, nothing is written. Throws a `UsageError` if the file is not writable.
     */
    update: (change: (config: Config) => Config) => changeUnderLock(path, options, change),
    /** Removes files left by a process that was killed while writing. `update` does too. */
    async removeLeftovers(): Promise<void> {
      const { leftoversOf } = await import('./storage.ts');
      if (leftoversOf(path, targetOf(path)).length > 0)
        await changeUnderLock(path, options, undefined);
    },
  };
}

/** Reads under the lock and sets a damaged file aside; with `change`, also changes and writes. */
async function changeUnderLock(
  path: string,
  options: ConfigOptions,
  change: ((config: Config) => Config) | undefined,
): Promise<Config> {
  const { directory, warn, now, lockTimeout: timeout = 5000 } = options;
  const [{ openStorage }, { readOrSetAside }] = await Promise.all([
    import('./storage.ts'),
    import('./damage.ts'),
  ]);
  const storage = await openStorage(path, options);
  const lock = join(directory, 'config.lock');
  try {
    const { isThere } = trustedWay(path, options);
    trustedWay(directory, options, { make: true });
    // If the file was missing, somebody may have planted a link there by now.
    tightenModes(directory, isThere ? path : undefined, warn);
    return withLock({ path: lock, owner: options, timeout }, () => {
      storage.removeLeftovers();
      const config = readOrSetAside({ path, storage, warn, now });
      if (change === undefined) return config;
      const changed = change(config);
      storage.write(changed);
      return changed;
    });
  } catch (error) {
    throw isFileError(error) ? explainConfigError('write', path, error) : error;
  }
}
