import { join } from 'node:path';
import { isFileError } from '../../files/file-errors.ts';
import { configPath } from './path.ts';
import { explainConfigError, readConfigText } from './text.ts';
import { type Owner, targetOf, trustedWay } from './trust.ts';
import { type Config, emptyConfig } from './types.ts';

/** Profiles, each a service, a key (or a command for it) and settings: one file, 0600 in a 0700 directory. */
export interface ConfigFile {
  /** The file's absolute path, whether it exists or not. */
  readonly path: string;
  /**
   * The configuration; an empty one when there is no file. A damaged file is set aside and reported.
   * A `UsageError` when it cannot be read; `UnreachablePlace` if others can write to it, or bar the way.
   */
  read(): Promise<Config>;
  /**
   * Reads, changes and writes under a lock, so that two processes lose nothing. `change` must not wait;
   * what it throws is passed on, and nothing is written. A `UsageError` when the file is not writable.
   */
  update(change: (config: Config) => Config): Promise<Config>;
  /** Removes files left by a process that was killed while writing. `update` does too. */
  removeLeftovers(): Promise<void>;
}

export interface ConfigOptions extends Owner {
  /** Absolute; made when something is written. */
  readonly directory: string;
  /** Gets what a person should know: a damaged file, permissions that were repaired. */
  readonly warn: (text: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long to wait for another process that writes, in milliseconds; default 5000. */
  readonly lockTimeout?: number;
}

/** Opens the configuration in `directory`. Nothing is touched before it is read or written. */
export function openConfig(options: ConfigOptions): ConfigFile {
  const { directory, warn } = options;
  const path = configPath(directory);
  return {
    path,
    async read() {
      const text = readConfigText(path, options);
      if (text === undefined) return emptyConfig;
      const [{ parseConfig, DamagedConfig }, { tightenModes }] = await Promise.all([
        import('./shape.ts'),
        import('./modes.ts'),
      ]);
      tightenModes(directory, path, warn);
      try {
        return parseConfig(text);
      } catch (error) {
        if (!(error instanceof DamagedConfig)) throw error;
        // Half of what another process writes may have been read; under the lock it is certain.
        return await changeUnderLock(path, options, undefined);
      }
    },
    update: (change) => changeUnderLock(path, options, change),
    async removeLeftovers() {
      const { leftoversOf } = await import('./storage.ts');
      if (leftoversOf(path, targetOf(path)).length > 0)
        await changeUnderLock(path, options, undefined);
    },
  };
}

/** Reads under the lock, setting a damaged file aside; with `change`, changes and writes, too. */
async function changeUnderLock(
  path: string,
  options: ConfigOptions,
  change: ((config: Config) => Config) | undefined,
): Promise<Config> {
  const { directory, warn, now, lockTimeout: timeout = 5000 } = options;
  const [{ tightenModes }, { openStorage }, { withLock }, { readOrSetAside }] = await Promise.all([
    import('./modes.ts'),
    import('./storage.ts'),
    import('./lock.ts'),
    import('./damage.ts'),
  ]);
  const storage = await openStorage(path, options);
  const lock = join(directory, 'config.lock');
  try {
    const { isThere } = trustedWay(path, options);
    trustedWay(directory, options, { make: true });
    // In place of a missing file somebody may have planted a link by now.
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
