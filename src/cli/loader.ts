import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { Script } from 'node:vm';
import type { CompiledCode, Made } from './compiled-code.ts';

/** Loads the files of the built program. */
export interface Loader {
  /** What a file exports, and what it loads itself. */
  load(name: string): unknown;
  /** Keeps what V8 has made of the files, where some of it is new, for later runs. */
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

/**
 * A loader of the files in one directory that keeps compiled code, if `kept` says where. Node's own
 * compile cache has what V8 makes of a file before the file runs. Functions are compiled at their
 * first call, which takes a fifth of the time of a run; so here all is kept that was made up to its
 * end.
 */
export function createLoader(directory: string, kept: CompiledCode | undefined): Loader {
  const made = new Map<string, Made>();
  const modules = new Map<string, { exports: unknown }>();
  const builtIn = createRequire(import.meta.filename);
  let news = false;

  const compile = (name: string, filename: string): Script => {
    const source = readFileSync(filename);
    const cachedData = kept?.read(name, source);
    const options = cachedData === undefined ? {} : { cachedData };
    const script = new Script(source.toString(), { filename, ...options });
    news ||= cachedData === undefined || script.cachedDataRejected === true;
    made.set(name, { source, data: () => script.createCachedData() });
    return script;
  };

  const load = (name: string): unknown => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    // To join paths would take longer.
    const filename = directory + sep + name;
    // The build has made this of it.
    const wrapped = compile(name, filename).runInThisContext() as Wrapped;
    const require = (id: string) => (id.startsWith('./') ? load(id.slice(2)) : builtIn(id));
    wrapped.call(module.exports, module.exports, require, module, filename, directory);
    return module.exports;
  };

  return {
    load,
    // All of them: of those that were kept, other functions may have been called this time.
    keep: () => news && kept?.write(made),
  };
}
