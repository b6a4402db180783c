import { lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadConf } from './load-conf.ts';
import { parseConfig } from './shape.ts';
import { readConfigText } from './text.ts';
import { type Owner, trustedWay } from './trust.ts';
import { type Config, emptyConfig } from './types.ts';

/** Reads and writes the file at once, without waiting for anything. Takes no lock itself. */
export interface ConfigStorage {
  /** Throws `DamagedConfig`. */
  read(): Config;
  /** Replaces the file in one step; of a symbolic link, the file it leads to. */
  write(config: Config): void;
  /** Removes files left by a process that was killed while writing. Call it only with the lock. */
  removeLeftovers(): void;
}

/** The storage of `path`; `user` is the user's id, where files have owners. */
export async function openStorage(path: string, owner: Owner): Promise<ConfigStorage> {
  const { default: Conf } = await loadConf();
  return {
    read() {
      const text = readConfigText(path, owner);
      return text === undefined ? emptyConfig : parseConfig(text);
    },
    write(config) {
      const target = trustedWay(path, owner).real;
      // In a new directory nobody can have planted a link.
      const directory = mkdtempSync(`${target}${newEnding}`);
      try {
        const text = `${JSON.stringify(config, null, 2)}\n`;
        // Conf sets the file's mode, and flushes it to the disk before it gets its name. It never reads
        // the file: what it makes of a damaged one, and of links, is not what this program needs.
        const conf = new Conf<Record<string, unknown>>({
          cwd: directory,
          configName: 'config',
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          serialize: () => text,
        });
        conf.store = { ...config };
        // The package below Conf (atomically 2.1) takes a short write for a whole one.
        if (readFileSync(conf.path, 'utf8') !== text) throw diskFull();
        renameSync(conf.path, target);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
    removeLeftovers() {
      for (const left of leftoversOf(path, trustedWay(path, owner).real)) remove(left, owner.user);
    },
  };
}

const newEnding = '.new-';

/** Endings of this version's temporary files, and of those of earlier versions. */
const leftoverEnding = /^\.(new-\w{6}|tmp-\d{10}[\da-f]{6}|previous)$/;

/** Files beside `path` and its `target` left by a process that was killed while writing; may have keys. */
export function leftoversOf(path: string, target: string): readonly string[] {
  return [...new Set([path, target])].flatMap((file) => {
    const name = basename(file);
    return namesIn(dirname(file))
      .filter((one) => one.startsWith(name) && leftoverEnding.test(one.slice(name.length)))
      .map((one) => join(dirname(file), one));
  });
}

function remove(path: string, user: number | undefined): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // In a directory such as /tmp, others may have files with such names; those are theirs to remove.
    const isOurs = user === undefined || lstatSync(path).uid === user;
    if (isOurs) throw error;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function diskFull(): Error {
  return Object.assign(new Error('short write'), { code: 'ENOSPC', syscall: 'write' });
}
