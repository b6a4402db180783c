import { statSync } from 'node:fs';
import type { System } from '../../base/system/system.ts';
import { configDirectory, configPath } from '../../service/account/config/config-path.ts';
import { readConfigText } from '../../service/account/config/config-text.ts';
import {
  type Config,
  emptyConfig,
  type Profile,
} from '../../service/account/config/config-types.ts';
import { isObject } from '../output/fields.ts';

/** The readable part of the configuration, and a version that changes with its file. Completion repairs nothing, because it cannot report it. */
export function readStored(system: System) {
  try {
    const path = configPath(configDirectory(system));
    const { mtimeMs, ino } = statSync(path);
    const config = configIn(JSON.parse(readConfigText(path, system) ?? ''));
    return { config, version: `${mtimeMs} ${ino}` };
  } catch {
    return { config: emptyConfig, version: '' };
  }
}

function configIn(stored: unknown): Config {
  if (!isObject(stored)) return emptyConfig;
  const { currentProfile = emptyConfig.currentProfile, profiles = {} } = stored;
  if (typeof currentProfile !== 'string' || !isObject(profiles)) return emptyConfig;
  return {
    currentProfile,
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, profile]) => [name, profileIn(profile)]),
    ),
  };
}

/** The fields of a profile that select an account. */
function profileIn(stored: unknown): Profile {
  if (!isObject(stored)) return {};
  const { baseUrl, apiKey, keyCommand, allowHttp } = stored;
  return {
    ...(typeof baseUrl === 'string' ? { baseUrl } : {}),
    ...(typeof apiKey === 'string' ? { apiKey } : {}),
    ...(typeof keyCommand === 'string' ? { keyCommand } : {}),
    ...(allowHttp === true ? { allowHttp } : {}),
  };
}
