// Bundles the program into dist/: one file per command and one per library that is loaded late, so
// that a command loads only what it uses. Nothing has to be installed at run time. With OUTDIR it
// goes there instead, with a meta.json that says which sources are in which file.
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = resolve(root, process.env.OUTDIR || 'dist');

rmSync(outdir, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/start.ts'],
  outdir,
  metafile: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  minifySyntax: true,
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'linked',
  logLevel: 'warning',
  // Bundled CommonJS packages ask for Node's own modules with require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

if (process.env.OUTDIR) writeFileSync(resolve(outdir, 'meta.json'), JSON.stringify(metafile));
