// Writes what the package has besides the sources into a directory with its package.json: manual pages, JSON Schemas,
// and in package.json the list of manual pages, without which npm does not install them. `--undo` removes the list.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manualPages } from './man-pages.ts';
import { schemaFiles } from './schema-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isUndo = process.argv.includes('--undo');
const directory = process.argv.slice(2).find((word) => word !== '--undo') ?? root;
const pages = isUndo ? [] : await manualPages();
const written = isUndo ? {} : { man: pages, schemas: await schemaFiles() };

for (const [folder, files] of Object.entries(written)) {
  rmSync(join(directory, folder), { recursive: true, force: true });
  mkdirSync(join(directory, folder));
  for (const [name, text] of files) writeFileSync(join(directory, folder, name), text);
}
const packageJson = join(directory, 'package.json');
const { man: _, ...rest } = JSON.parse(readFileSync(packageJson, 'utf8'));
const listed = isUndo ? rest : { ...rest, man: pages.map(([name]) => `./man/${name}`) };
writeFileSync(packageJson, `${JSON.stringify(listed, null, 2)}\n`);
