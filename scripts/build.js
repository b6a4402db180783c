// Bundles the program into dist/: CommonJS, which Node loads in less time than ES modules; one
// file per command and one per library that is loaded late, so that a command loads only what it
// uses. Nothing has to be installed at run time. With OUTDIR it goes there instead, with a
// meta.json that says which sources are in which file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = resolve(root, process.env.OUTDIR || 'dist');

/** Files that are imported `with { type: 'text' }`. */
const assetsAsText = {
  name: 'assets-as-text',
  load(id) {
    if (!id.includes('/src/sandbox/inbox/assets/')) return undefined;
    return {
      code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`,
      moduleType: 'js',
    };
  },
};

rmSync(outdir, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  input: 'src/start.ts',
  platform: 'node',
  transform: { target: 'node22.19' },
  plugins: [assetsAsText],
});
const { output } = await bundle.write({
  dir: outdir,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
});
await bundle.close();

const chunks = output.filter(({ type }) => type === 'chunk');
const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(resolve(outdir, 'LICENSES.txt'), licencesOf(modules));
if (process.env.OUTDIR) writeFileSync(resolve(outdir, 'meta.json'), JSON.stringify(meta(chunks)));

/** Of each file: the source it is the entry of, the sources in it, and what it imports. */
function meta(chunks) {
  const source = (id) => relative(root, id);
  return Object.fromEntries(
    chunks.map(({ fileName, facadeModuleId, moduleIds, imports }) => [
      fileName,
      {
        entry: facadeModuleId === null ? undefined : source(facadeModuleId),
        sources: moduleIds.map(source),
        imports,
      },
    ]),
  );
}
