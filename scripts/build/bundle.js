// Bundles the program for the npm package and the executable: CommonJS, with the packages it imports, in
// one file per command and one per library that is loaded late.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../checkout.js';
import { buildInfo } from './build-info.js';
import { isScript, scriptText } from './script-text.js';

/** Files imported `with { type: 'text' }`. */
const assetsAsText = {
  name: 'assets-as-text',
  resolveId(module) {
    if (isScript(module)) return `\0${module}`;
    if (module !== 'jq-wasm/text') return undefined;
    return resolve(root, 'node_modules', 'jq-wasm', 'dist', 'inline.cjs');
  },
  async load(id) {
    if (isScript(id.slice(1))) {
      return `export default ${JSON.stringify(await scriptText(id.slice(1)))};`;
    }
    const isText = /[\\/](inbox[\\/]assets[\\/]|jq-wasm[\\/]dist[\\/]inline\.cjs$)/;
    if (!isText.test(id)) return undefined;
    const exported = id.endsWith('.cjs') ? 'module.exports =' : 'export default';
    return {
      code: `${exported} ${JSON.stringify(readFileSync(id, 'utf8'))};`,
      moduleType: 'js',
    };
  },
};

/** A file beside the bundle, which can be written once it is known what is in the bundle. */
const buildFile = {
  name: 'build-file',
  resolveId(module) {
    return module === 'mailer-build' ? { id: './build.json', external: true } : undefined;
  },
};

const ofPrograms = 'node:child_process';

/**
 * Leaves out the module with which commander starts commands that are separate programs. mailer has none, and
 * loading it takes milliseconds.
 */
const withoutPrograms = {
  name: 'without-programs',
  resolveId(module, importer = '') {
    const isUnused = module === ofPrograms && /[\\/]commander[\\/]/.test(importer);
    return isUnused ? `\0${ofPrograms}` : undefined;
  },
  load(id) {
    return id === `\0${ofPrograms}` ? 'export default undefined;' : undefined;
  },
};

const samples = /^ +(?:key|cert): '-----BEGIN [^;]*?-----END [A-Z ]+-----',\n/gm;

/**
 * Leaves out smtp-server's sample key and certificate, which mailer never uses: scanners of secrets report any
 * private key.
 */
const withoutSampleKey = {
  name: 'without-sample-key',
  transform(code, id) {
    if (!/[\\/]smtp-server[\\/].*[\\/]tls-options\.js$/.test(id)) return undefined;
    if (code.match(samples)?.length !== 2) throw new Error(`${id} has no samples as expected`);
    return code.replace(samples, '');
  },
};

/**
 * Files of the bundle that combine more than the dynamic imports require: loading another file takes longer
 * than skipping unused code.
 */
const together = [
  // Needed before the command is known.
  { name: 'first', test: /[\\/]src[\\/]cli[\\/]process\.ts$/, priority: 3 },
  // Needed for help pages: the parser, declarations of flags, and of what is printed.
  {
    name: 'parse',
    test: /[\\/]src[\\/](api[\\/]load-operation|cli[\\/]run-command|lib[\\/](command-line[\\/]command[\\/](command|prints)|.*(flags|titles))|json-schemas[\\/]load)\.ts$/,
    priority: 2,
  },
  {
    name: (id, modules) => (isLight(id, modules) ? 'shared' : null),
    debugName: 'shared',
    // The gate and its checks are for commands that mail, and for no help page.
    test: /[\\/]src[\\/](api|cli|shared[\\/](?!check)|lib[\\/](?!runs[\\/]bulk|mail[\\/]message))/,
    // What fewer files of the bundle import has files of its own: each help page would load it all.
    minShareCount: 10,
    priority: 1,
  },
  { name: 'zod', test: /[\\/](node_modules[\\/]zod[\\/]|src[\\/]api[\\/]shown\.ts)/ },
];

/** Whether a module imports nothing that is slow to load: no package, and no other module of Node. */
function isLight(id, modules) {
  if (/^node:(fs|path|util)$/.test(id)) return true;
  if (!id.startsWith(resolve(root, 'src'))) return false;
  return modules.getModuleInfo(id).importedIds.every((one) => isLight(one, modules));
}

/**
 * Bundles a source with its imports into a directory, and returns the files of code written. If the code asks for
 * `mailer-build`, `build.json` is there, too.
 */
export async function bundle(source, dir) {
  const made = await rolldown({
    cwd: root,
    input: source,
    // Other files of the bundle import from the first one, which is one file less to load.
    preserveEntrySignatures: 'allow-extension',
    platform: 'node',
    // The output names its sources, and resolved links would be paths of this machine.
    resolve: { symlinks: false },
    transform: {
      target: 'node22.19',
    },
    plugins: [assetsAsText, buildFile, withoutPrograms, withoutSampleKey],
  });
  const { output: files } = await made.write({
    dir,
    format: 'cjs',
    strict: true,
    // Late loading uses require(), too, which is faster than import().
    dynamicImportInCjs: false,
    // Less to read at each start. Names and lines stay, for readable stack traces.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    // The compile cache identifies files by name, and some file systems ignore case.
    hashCharacters: 'base36',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups: together },
  });
  await made.close();
  const chunks = files.filter(({ type }) => type === 'chunk');
  if (chunks.some(({ dynamicImports }) => dynamicImports.includes('./build.json'))) {
    const info = buildInfo(chunks.flatMap(({ moduleIds }) => moduleIds));
    writeFileSync(resolve(dir, 'build.json'), `${JSON.stringify(info)}\n`);
  }
  return chunks;
}
