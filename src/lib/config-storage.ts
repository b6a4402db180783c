import { copyFileSync, existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, emptyConfig } from './config.ts';
import { parseConfig } from './config-shape.ts';
import { loadConf } from './load-conf.ts';

/** Reads and writes the file at once, without waiting for anything. Takes no lock itself. */
export interface ConfigStorage {
  /** Throws `DamagedConfig`. */
  read(): Config;
  /** Replaces the file in one step; of a symbolic link, the file it leads to. */
  write(config: Config): void;
}

/** The storage of `path`, whose last part must be `config.json`. */
export async function openStorage(path: string): Promise<ConfigStorage> {
  const { default: Conf } = await loadConf();
  let text = '';
  // Conf reads the file when it is made, so it is made anew under each lock.
  const open = () =>
    new Conf<Record<string, unknown>>({
      cwd: dirname(path),
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
      serialize: (value) => {
        text = `${JSON.stringify(value, null, 2)}\n`;
        return text;
      },
      deserialize: (content) => ({ ...parseConfig(content) }),
    });
  return {
    // Conf's store is what parseConfig returned, or {} where there is no file.
    read: () => ({ ...emptyConfig, ...(open().store as Partial<Config>) }),
    write(config) {
      const conf = open();
      restoringOnFailure(path, () => {
        conf.store = { ...config };
        if (readFileSync(path, 'utf8') !== text) throw diskFull();
      });
    },
  };
}

/**
 * Does `write`, and when that fails puts back what was there. Conf replaces the file in one step,
 * but the package below it (atomically 2.1) takes a short write for a whole one, so that on a full
 * disk half a file would take the place of the old one.
 */
function restoringOnFailure(path: string, write: () => void): void {
  const file = existsSync(path) ? realpathSync(path) : undefined;
  const copy = `${file ?? path}.previous`;
  if (file !== undefined) copyFileSync(file, copy);
  try {
    write();
  } catch (error) {
    if (file !== undefined) renameSync(copy, file);
    else if (existsSync(path)) rmSync(realpathSync(path));
    throw error;
  } finally {
    rmSync(copy, { force: true });
  }
}

function diskFull(): Error {
  return Object.assign(new Error('short write'), { code: 'ENOSPC', syscall: 'write' });
}
