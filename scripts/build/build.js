// Bundles the program into dist/, with completions for packagers. Nothing has to be
// installed at run time. `--outdir DIR` writes to DIR instead. What is in each file is listed in DIR/meta.json, for
// dist/ in node_modules/.cache/build.json, because all of dist/ is in the package.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  // Older versions cannot read TypeScript; npm runs this with the toolchain's Node.
  process.stderr.write(
    `The build needs Node 22.18 or newer; this is ${process.versions.node}. Use: npm run build\n`,
  );
  process.exit(1);
}
const { shellScripts } = await import('../../src/lib/command-line/completion/scripts.ts');
const { root } = await import('../checkout.js');
const { bundle } = await import('./bundle.js');
const { licencesOf } = await import('./licences.js');
const { writeTesting } = await import('./testing.js');

const { values } = parseArgs({ options: { outdir: { type: 'string' } } });
const outdir = resolve(values.outdir ?? resolve(root, 'dist'));

if (values.outdir !== undefined && !mayBeEmptied(outdir)) {
  process.stderr.write(`${outdir} has files in it, and not those of a build. Nothing was done.\n`);
  process.exit(2);
}
rmSync(outdir, { recursive: true, force: true });
// The two files that bin/mailer.js loads. They share no code: what is loaded before the compile cache is
// enabled is compiled at every start.
const files = [
  ...(await bundle('src/cli/compile-cache.ts', outdir)),
  ...(await bundle('src/cli/process.ts', outdir)),
];
const modules = files.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(resolve(outdir, 'LICENSES.txt'), licencesOf(modules));
writeCompletions(resolve(outdir, 'completions'));
writeTesting(resolve(outdir, 'testing'));
const cache = resolve(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
writeFileSync(
  values.outdir === undefined ? resolve(cache, 'build.json') : resolve(outdir, 'meta.json'),
  JSON.stringify(meta(files)),
);

/** Whether a directory contains only the output of an earlier build. */
function mayBeEmptied(directory) {
  if (!existsSync(directory)) return true;
  return readdirSync(directory).length === 0 || existsSync(resolve(directory, 'process.cjs'));
}

/** For packagers, under the names that the shells expect. */
function writeCompletions(directory) {
  const names = {
    bash: 'mailer.bash',
    zsh: '_mailer',
    fish: 'mailer.fish',
    powershell: 'mailer.ps1',
  };
  mkdirSync(directory);
  for (const [shell, name] of Object.entries(names)) {
    writeFileSync(resolve(directory, name), shellScripts[shell]);
  }
}

/** For each file: the source it is the entry of, the sources in it, and its imports. */
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
