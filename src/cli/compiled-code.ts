import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ownDirectory, readOwn } from '../lib/files/own-files.ts';

/** Keeps what V8 has made of the program's files from one run to the next. */
export interface CompiledCode {
  /** What was kept of this source under this name; undefined when there is nothing to be trusted. */
  read(name: string, source: Buffer): Buffer | undefined;
  /** Keeps all of these. Throws nothing: without it the next run only takes longer. */
  write(files: ReadonlyMap<string, Made>): void;
}

/** What V8 has made of a source. */
export interface Made {
  readonly source: Buffer;
  data(): Buffer;
}

/** Where it is kept, and for whom. */
export interface CompiledCodeOptions {
  readonly directory: string;
  /** Of Node and the machine: one cannot use what another has made. */
  readonly versions: string;
  /** The user's id; undefined where files have no owners to look at. */
  readonly user: number | undefined;
  readonly processId: number;
}

/** How long something is kept; what is still used is made anew then. */
const lifetime = 30 * 24 * 60 * 60 * 1000;

/** What files of this program are called here, those of half a write included. */
const ownName = /^v\d+\.\d+\.\d+.*\.cjs(\.\d+)?$/;

/**
 * Compiled code is run without another look at it, so none is taken that somebody else may have
 * written, or have put where it is; and none that is not of exactly this source, of which V8 itself
 * checks the length only. A file holds the code, the code once more, as V8 crashes on what is
 * damaged, and the source. To compare takes less time than to load what can compute a checksum.
 */
export function openCompiledCode(options: CompiledCodeOptions): CompiledCode {
  const { directory, versions, user, processId } = options;
  const place = attempt(() => ownDirectory(directory, user));
  const pathOf = (place: string, name: string) => `${place}/${versions}-${name}`;
  return {
    read(name, source) {
      if (place === undefined) return undefined;
      const kept = attempt(() => readOwn(pathOf(place, name), user));
      return kept && codeIn(kept, source);
    },
    write(files) {
      attempt(() => {
        const place = ownDirectory(directory, user, { make: true });
        if (place === undefined) return;
        // Before all that is to be written is made in vain.
        accessSync(place, constants.W_OK);
        for (const [name, { source, data }] of files) {
          const code = data();
          replace(pathOf(place, name), Buffer.concat([code, code, source]), processId);
        }
        removeOld(place);
      });
    },
  };
}

/** Undefined where the file system says no: nothing there, read-only, full, somebody else's. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The code in such a file, if it is whole and of this source. */
function codeIn(content: Buffer, source: Buffer): Buffer | undefined {
  const length = (content.length - source.length) / 2;
  if (length <= 0 || !Number.isInteger(length)) return undefined;
  const code = content.subarray(0, length);
  const isSound =
    code.equals(content.subarray(length, 2 * length)) &&
    source.equals(content.subarray(2 * length));
  return isSound ? code : undefined;
}

/** Replaces a file in one step, once the new one is safely on the disk. */
function replace(path: string, content: Buffer, processId: number): void {
  const temporary = `${path}.${processId}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes what other versions of the program and of Node have left. */
function removeOld(directory: string): void {
  for (const name of readdirSync(directory).filter((one) => ownName.test(one))) {
    const path = join(directory, name);
    if (lstatSync(path).mtimeMs < Date.now() - lifetime) rmSync(path, { force: true });
  }
}
