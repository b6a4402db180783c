import { lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../../../../shared/attempt.ts';
import { parseConfig } from './config-shape.ts';
import { readConfigText } from './config-text.ts';
import { type Config, emptyConfig } from './config-types.ts';
import { loadConf } from './load-conf.ts';
import { type Owner, trustedWay } from './trust.ts';

/** Reads and writes the file synchronously. Takes no lock itself. */
export type ConfigStorage = Awaited<ReturnType<typeof openStorage>>;

/** The storage of `path`; `user` is the user's id, where files have owners. */
export async function openStorage(path: string, owner: Owner) {
  const { default: Conf } = await loadConf();
  return {
    /** Throws `DamagedConfig`. */
    read(): Config {
      const text = readConfigText(path, owner);
      return text === undefined ? emptyConfig : parseConfig(text, path);
    },
    /** Replaces the file atomically; for a symbolic link, its target. */
    write(config: Config): void {
      const target = trustedWay(path, owner).real;
      // In a new directory nobody can have planted a link.
      const directory = mkdtempSync(`${target}${newEnding}`);
      try {
        const text = `${JSON.stringify(config, null, 2)}\n`;
        // Conf sets the mode, flushes the file to the disk, and then renames it. It is not used to read
        // the file, because it treats damaged files and links differently from this program.
        const conf = new Conf<Record<string, unknown>>({
          cwd: directory,
          configName: 'config',
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          serialize: () => text,
        });
        conf.store = { ...config };
        // Conf's dependency atomically (2.1) does not notice a short write.
        if (readFileSync(conf.path, 'utf8') !== text) throw diskFull();
        renameSync(conf.path, target);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
    /** Removes files left by a process that was killed while writing. Call it only under the lock. */
    removeLeftovers(): void {
      for (const left of leftoversOf(path, trustedWay(path, owner).real)) remove(left, owner.user);
    },
  };
}

const newEnding = '.new-';

const leftoverEnding = /^\.new-\w{6}$/;

/** Files beside `path` and `target` left by a process that was killed while writing; they may contain keys. */
export function leftoversOf(path: string, target: string): readonly string[] {
  return filesBeside(path, target, leftoverEnding);
}

/** Files beside `path` and `target` with the name of one of them and this ending. */
export function filesBeside(path: string, target: string, ending: RegExp): readonly string[] {
  return [...new Set([path, target])].flatMap((file) => {
    const name = basename(file);
    return namesIn(dirname(file))
      .filter((one) => one.startsWith(name) && ending.test(one.slice(name.length)))
      .map((one) => join(dirname(file), one));
  });
}

function remove(path: string, user: number | undefined): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // In a directory such as /tmp, other users may have files with such names.
    const isOurs = user === undefined || lstatSync(path).uid === user;
    if (isOurs) throw error;
  }
}

function namesIn(directory: string): readonly string[] {
  return attempt(() => readdirSync(directory), []);
}

function diskFull(): Error {
  return Object.assign(new Error('short write'), { code: 'ENOSPC', syscall: 'write' });
}
