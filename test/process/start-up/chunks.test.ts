import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { manifest } from '../../../src/commands/manifest.ts';
import { root } from '../../support/process.ts';

/** A late import in the build: the file or module, and the exports it uses. */
const lateImport =
  /Promise\.resolve\(\)\.then\(\(\) => [^\n]*?require\("([^"]+)"\)(?:\)\.then\(\(n\) => n\.(\w+))?/g;

interface LateImport {
  readonly of: string;
  readonly name?: string | undefined;
}

function lateImportsIn(text: string): LateImport[] {
  return [...text.matchAll(lateImport)].map(([, of = '', name]) => ({ of, name }));
}

function builtFiles(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.cjs'));
}

const dist = join(root, 'dist');

/** Loads every file of the build, and names what cannot be loaded, or lacks an export that a late import uses. */
const script = (imports: readonly LateImport[]) => `
  import { createRequire } from 'node:module';
  const load = createRequire(${JSON.stringify(join(dist, 'process.cjs'))});
  const broken = [];
  for (const name of ${JSON.stringify(builtFiles(dist))}) {
    try {
      load('./' + name);
    } catch (error) {
      broken.push([name, error.message]);
    }
  }
  for (const { of, name } of ${JSON.stringify(imports)}) {
    if (name !== undefined && load(of)[name] === undefined) broken.push([of, name]);
  }
  process.stdout.write(JSON.stringify(broken));
`;

test('every file of the build loads, and exports what late imports use', async () => {
  const imports = builtFiles(dist).flatMap((name) =>
    lateImportsIn(readFileSync(join(dist, name), 'utf8')),
  );
  expect(imports.length).toBeGreaterThan(manifest.length);
  const words = ['--no-warnings', '--input-type=module', '--eval', script(imports)];
  const { stdout } = await execa(process.execPath, words);
  expect(JSON.parse(stdout)).toEqual([]);
});
