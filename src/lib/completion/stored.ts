import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, configDirectory, emptyConfig, type Profile } from '../config.ts';
import { isObject } from '../output/fields.ts';
import type { System } from '../system.ts';

/** The configuration, and when its file was last changed: ms since 1970, 0 without a file. */
export interface Stored {
  readonly config: Config;
  readonly changed: number;
}

/**
 * The configuration as far as it can be read. Unlike a command, which may say so, TAB repairs
 * nothing in it and sets nothing aside.
 */
export function readStored(system: System): Stored {
  const path = join(configDirectory(system), 'config.json');
  try {
    const changed = statSync(path).mtimeMs;
    return { config: configIn(JSON.parse(readFileSync(path, 'utf8'))), changed };
  } catch {
    return { config: emptyConfig, changed: 0 };
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

/** Of a profile, what says which account it is. */
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
