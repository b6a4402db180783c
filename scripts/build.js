// Bundles the program into dist/: CommonJS, which Node loads in less time than ES modules; one
// file per command and one per library that is loaded late, so that a command loads only what it
// uses. Nothing has to be installed at run time. With OUTDIR it goes there instead, with a
// meta.json that says which sources are in which file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { chunks } from './chunks.js';
import { licencesOf } from './licences.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = resolve(root, process.env.OUTDIR || 'dist');

/** Files that are imported `with { type: 'text' }`. */
const assetsAsText = {
  name: 'assets-as-text',
  load(id) {
    if (!/[\\/]inbox[\\/]assets[\\/]/.test(id)) return undefined;
    return {
      code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`,
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
  // undici takes it for services that choose HTTP/2.
  { by: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/, module: './client-h2.js' },
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

const { plugin: graph, groups } = chunks(root);
const common = {
  cwd: root,
  platform: 'node',
  transform: {
    target: 'node22.19',
    // By this undici leaves out a second parser, an experiment, as it does within Node.
    define: { esbuildDetection: '1' },
  },
};
const written = {
  dir: outdir,
  format: 'cjs',
  strict: true,
  // Less to read at each start. Names and lines stay as they are, for those who read a stack trace.
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
};

rmSync(outdir, { recursive: true, force: true });
const program = await bundle(
  { ...common, input: 'src/cli.ts', plugins: [assetsAsText, loadLate, graph] },
  {
    ...written,
    // What is kept of a file from one run to the next is kept by its name; some file systems take
    // two for one that differ in case.
    hashCharacters: 'base36',
    entryFileNames: '[name]-[hash].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: { groups },
    // As the loader wants it.
    postBanner: '(function (exports, require, module, __filename, __dirname) {',
    postFooter: '})',
  },
);
// What Node itself loads; the loader in it loads the rest.
const start = await bundle(
  {
    ...common,
    input: 'src/start.ts',
    transform: {
      ...common.transform,
      define: { programFile: JSON.stringify(program.find(({ isEntry }) => isEntry).fileName) },
    },
  },
  { ...written, entryFileNames: '[name].cjs', codeSplitting: false },
);

const files = [...program, ...start];
const modules = files.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(resolve(outdir, 'LICENSES.txt'), licencesOf(modules));
if (process.env.OUTDIR) writeFileSync(resolve(outdir, 'meta.json'), JSON.stringify(meta(files)));

async function bundle(input, output) {
  const made = await rolldown(input);
  const { output: files } = await made.write(output);
  await made.close();
  return files.filter(({ type }) => type === 'chunk');
}

/** Of each file: the source it is the entry of, the sources in it, and what it imports. */
function meta(files) {
  const source = (id) => relative(root, id);
  return Object.fromEntries(
    files.map(({ fileName, facadeModuleId, moduleIds, imports }) => [
      fileName,
      {
        entry: facadeModuleId === null ? undefined : source(facadeModuleId),
        sources: moduleIds.filter((id) => !id.startsWith('\0')).map(source),
        imports,
      },
    ]),
  );
}
