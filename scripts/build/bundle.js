// How the program is bundled, for the npm package and for the executable: CommonJS, with what it
// imports from packages, in one file per command and one per library that is loaded late.
import { readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../checkout.js';

/** Files that are imported `with { type: 'text' }`. */
const assetsAsText = {
  name: 'assets-as-text',
  resolveId(module) {
    if (module !== 'jq-wasm/text') return undefined;
    return resolve(root, 'node_modules', 'jq-wasm', 'dist', 'inline.cjs');
  },
  load(id) {
    const isText = /[\\/]((inbox|content)[\\/]assets[\\/]|jq-wasm[\\/]dist[\\/]inline\.cjs$)/;
    if (!isText.test(id)) return undefined;
    const exported = id.endsWith('.cjs') ? 'module.exports =' : 'export default';
    return {
      code: `${exported} ${JSON.stringify(readFileSync(id, 'utf8'))};`,
      moduleType: 'js',
    };
  },
};

/**
 * What libraries load at their top and do not use in most runs; each takes milliseconds. In its
 * place they get something that loads it when it is first called, or a property of it is read.
 */
const usedLate = [
  // Commander starts commands that are programs of their own with it; there are none here.
  { by: /[\\/]commander[\\/]/, module: 'node:child_process' },
];

const loadLate = {
  name: 'load-late',
  async resolveId(module, importer = '') {
    const isLate = usedLate.some((late) => late.module === module && late.by.test(importer));
    if (!isLate) return undefined;
    const { id } = await this.resolve(module, importer, { skipSelf: true });
    return `\0late:${isAbsolute(id) ? relative(root, id) : id}`;
  },
  load(id) {
    if (!id.startsWith('\0late:')) return undefined;
    const late = id.slice('\0late:'.length);
    const module = JSON.stringify(late.startsWith('node:') ? late : resolve(root, late));
    return `module.exports = new Proxy(() => {}, {
      get: (_, name) => require(${module})[name],
      apply: (_, self, values) => Reflect.apply(require(${module}), self, values),
    });`;
  },
};

/**
 * Files of the bundle that hold more than the dynamic imports ask for: to load a file takes longer
 * than to skip what is in it and not used.
 */
const together = [
  // What is needed before it is known what is asked for.
  { name: 'first', test: /[\\/]src[\\/]cli[\\/]process\.ts$/, priority: 3 },
  // What help pages need: what reads a command line, and what declares flags.
  {
    name: 'parse',
    test: /[\\/]src[\\/](cli[\\/]run-command|lib[\\/](command[\\/]command|.*flags))\.ts$/,
    priority: 2,
  },
  {
    name: (id, modules) => (isLight(id, modules) ? 'shared' : null),
    debugName: 'shared',
    test: /[\\/]src[\\/](api|cli|shared|lib[\\/](?!bulk))/,
    minShareCount: 2,
    priority: 1,
  },
  { name: 'zod', test: /[\\/]node_modules[\\/]zod[\\/]/ },
];

/** Whether a module leads to nothing that takes time: no package, no module of Node that is new. */
function isLight(id, modules) {
  if (/^node:(fs|path|util)$/.test(id)) return true;
  if (!id.startsWith(resolve(root, 'src'))) return false;
  return modules.getModuleInfo(id).importedIds.every((one) => isLight(one, modules));
}

/** Bundles what this source leads to, and returns the files that were written to a directory. */
export async function bundle(source, dir) {
  const made = await rolldown({
    cwd: root,
    input: source,
    platform: 'node',
    // The output names its sources; where links lead is only of this machine.
    resolve: { symlinks: false },
    transform: {
      target: 'node22.19',
    },
    plugins: [assetsAsText, loadLate],
  });
  const { output: files } = await made.write({
    dir,
    format: 'cjs',
    strict: true,
    // What is loaded late is loaded with require(), too, which takes less time than import().
    dynamicImportInCjs: false,
    // Less to read at each start. Names and lines stay as they are, for those who read a stack
    // trace.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    // What is kept of a file from one run to the next is kept by its name; some file systems take
    // two for one that differ in case.
    hashCharacters: 'base36',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: together },
  });
  await made.close();
  return files.filter(({ type }) => type === 'chunk');
}
