import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Loads the files of the built program. */
export interface Loader {
  /** What a file exports, and what it loads itself. */
  load(path: string): unknown;
  /**
   * Keeps what V8 has made of the files, where some of it is new, for later runs. Throws nothing:
   * without it they only take longer.
   */
  keep(): void;
}

/** What the build puts around each file, as Node does with CommonJS. */
type Wrapped = (
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  filename: string,
  directory: string,
) => void;

export interface LoaderOptions {
  /** Where compiled code is kept; undefined where none is to be. */
  readonly directory: string | undefined;
  /** The user's id; undefined where users have none. */
  readonly user: number | undefined;
  readonly processId: number;
}

/**
 * A loader that keeps compiled code. Node's own compile cache has what V8 makes of a file before
 * the file runs. Functions are compiled at their first call, which takes a fifth of the time of a
 * run; so here all is kept that was made up to its end.
 *
 * V8 checks the version and the length of what is kept, takes the rest as it is, and crashes on what
 * is damaged. So it is written as a whole or not at all, twice over, so that damage shows, and left
 * alone where others than the user may write.
 */
export function createLoader({ directory, user, processId }: LoaderOptions): Loader {
  const kept = directory !== undefined && isPrivate(directory, user) ? directory : undefined;
  const scripts = new Map<string, Script>();
  const modules = new Map<string, { exports: unknown }>();
  const builtIn = createRequire(import.meta.filename);
  let news = false;

  const compile = (path: string): Script => {
    const name = basename(path);
    const cachedData = kept === undefined ? undefined : readSound(join(kept, name));
    const options = cachedData === undefined ? {} : { cachedData };
    const script = new Script(readFileSync(path, 'utf8'), { filename: path, ...options });
    news ||= cachedData === undefined || script.cachedDataRejected === true;
    scripts.set(name, script);
    return script;
  };

  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    // The build has made this of it.
    const wrapped = compile(path).runInThisContext() as Wrapped;
    const directory = dirname(path);
    const require = (id: string) => (id.startsWith('.') ? load(join(directory, id)) : builtIn(id));
    wrapped.call(module.exports, module.exports, require, module, path, directory);
    return module.exports;
  };

  return {
    load,
    keep() {
      if (kept === undefined || !news) return;
      try {
        mkdirSync(kept, { recursive: true, mode: 0o700 });
        // All of them: of those that were kept, other functions may have been called this time.
        for (const [name, script] of scripts) {
          replace(join(kept, name), script.createCachedData(), processId);
        }
      } catch {
        // Read-only, full, or somebody else's.
      }
    },
  };
}

/** Whether only `user` may write to a directory; so it is when it has yet to be made. */
function isPrivate(directory: string, user: number | undefined): boolean {
  try {
    const { uid, mode } = statSync(directory);
    return user === undefined || (uid === user && (mode & 0o022) === 0);
  } catch {
    return true;
  }
}

/** What is in a file twice; undefined when there is no such file, or the two differ. */
function readSound(path: string): Buffer | undefined {
  try {
    const both = readFileSync(path);
    const half = both.length / 2;
    const one = both.subarray(0, half);
    // To compare takes less time than to load what can compute a checksum.
    return both.length % 2 === 0 && one.equals(both.subarray(half)) ? one : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces a file with data twice over, in one step, once the new one is safely on the disk. */
function replace(path: string, data: Uint8Array, processId: number): void {
  const temporary = `${path}.${processId}`;
  try {
    writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600, flag: 'wx', flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
