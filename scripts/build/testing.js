// Writes src/testing, which tests of other projects import, as JavaScript with type declarations. Its files stay apart, since
// they import nothing but each other.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isolatedDeclarationSync, transformSync } from 'rolldown/experimental';
import { root } from '../checkout.js';

export function writeTesting(outdir) {
  const sources = resolve(root, 'src/testing');
  mkdirSync(outdir);
  for (const name of readdirSync(sources)) {
    const source = readFileSync(resolve(sources, name), 'utf8');
    const code = transformSync(name, source, {
      target: 'node22.19',
      typescript: { rewriteImportExtensions: true },
    });
    const types = isolatedDeclarationSync(name, source);
    const errors = [...code.errors, ...types.errors];
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    writeFileSync(resolve(outdir, name.replace(/\.ts$/, '.js')), code.code);
    const declared = types.code.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"');
    writeFileSync(resolve(outdir, name.replace(/\.ts$/, '.d.ts')), declared);
  }
}
