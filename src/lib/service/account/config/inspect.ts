import { UsageError, usageErrorOf } from '../../../base/errors.ts';
import { isWritable } from '../../../base/files/writable-directory.ts';
import type { System } from '../../../base/system/system.ts';
import { type SettingName, settingNames } from '../setting-names.ts';
import { checkSetting } from '../setting-values.ts';
import { configDirectory, configPath } from './config-path.ts';
import { DamagedConfig, parseConfig } from './config-shape.ts';
import { readConfigText } from './config-text.ts';
import { type Config, emptyConfig } from './config-types.ts';
import { type Exposed, exposed } from './modes.ts';

/** What `inspectConfig` found. */
export interface ConfigInspection {
  /** Empty if there is no directory for it. */
  readonly path: string;
  readonly exists: boolean;
  /** Why the configuration cannot be used. */
  readonly problem: UsageError | undefined;
  /** Whether `update` could write to it. */
  readonly writable: boolean;
  /** The directory and file, if others have access to them. */
  readonly exposed: readonly Exposed[];
  /** The usable part: empty if there is a problem, and without `badSettings`. */
  readonly config: Config;
  readonly badSettings: readonly BadSetting[];
}

/** A stored setting whose value `config set` would reject. */
export interface BadSetting {
  readonly profile: string;
  readonly name: SettingName;
  /** Begins with the name. */
  readonly reason: string;
}

/** Reads the configuration without changing, repairing or creating anything. */
export function inspectConfig(
  system: Pick<System, 'env' | 'platform' | 'homeDirectory' | 'cwd' | 'user' | 'accountHome'>,
): ConfigInspection {
  const nothing = { exposed: [], config: emptyConfig, badSettings: [], writable: false };
  let path = '';
  try {
    const directory = configDirectory(system);
    path = configPath(directory);
    const text = readConfigText(path, system);
    const found = { path, exists: text !== undefined, problem: undefined };
    const writable = isWritable(directory);
    return text === undefined
      ? { ...nothing, ...found, writable }
      : {
          ...usable(parseConfig(text, path)),
          ...found,
          writable,
          exposed: exposed(directory, path),
        };
  } catch (error) {
    return { ...nothing, path, exists: true, problem: problemIn(error, path) };
  }
}

function problemIn(error: unknown, path: string): UsageError {
  if (error instanceof UsageError) return error;
  if (!(error instanceof DamagedConfig)) throw error;
  return new UsageError(`${path} is damaged: ${error.message}.`, {
    hint: 'Repair it, or log in again: mailer login. The damaged file is kept.',
    cause: error,
  });
}

/** Settings unknown to this version are kept. */
function usable(config: Config): Pick<ConfigInspection, 'config' | 'badSettings'> {
  const badSettings: BadSetting[] = [];
  const profiles = Object.entries(config.profiles).map(([profile, stored]) => {
    const kept = Object.entries(stored.settings ?? {}).filter(([key, value]) => {
      const name = settingNames.find((one) => one === key);
      const reason = name && usageErrorOf(() => checkSetting(name, value))?.message;
      if (name === undefined || reason === undefined) return true;
      badSettings.push({ profile, name, reason });
      return false;
    });
    return [profile, { ...stored, settings: Object.fromEntries(kept) }] as const;
  });
  return { config: { ...config, profiles: Object.fromEntries(profiles) }, badSettings };
}
