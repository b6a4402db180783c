import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { supportUpdated } from '../../../src/shared/check/support.ts';
import { root, temporaryDirectory } from '../../support/process.ts';
import { read } from '../../support/sources.ts';
import { runInThread } from '../../support/thread.ts';

/** A script of the build, to import. */
const script = (name: string) => pathToFileURL(join(root, 'scripts', 'build', name)).href;
const dist = join(root, 'dist');
/** The sources in the bundle, as paths from the root of the checkout. */
let sources: readonly string[];

beforeAll(() => {
  // Written by the build, in this shape.
  const meta = JSON.parse(read('node_modules/.cache/build.json')) as Record<
    string,
    { readonly sources: readonly string[] }
  >;
  sources = Object.values(meta).flatMap((file) => file.sources);
});

/** Name and version of the package of a source; undefined for the program's own sources. */
function packageOf(source: string): string | undefined {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
  let directory = dirname(join(root, source));
  while (name !== undefined && directory !== dirname(directory)) {
    try {
      // Written by npm, which checks its shape.
      const found = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found.name === name) return `${name} ${found.version}`;
    } catch {
      // There is no package.json here.
    }
    directory = dirname(directory);
  }
  return undefined;
}

test('has the licence of every package in it', () => {
  const packages = new Set(sources.map(packageOf).filter((one) => one !== undefined));
  expect(packages.size).toBeGreaterThan(40);
  const parts = readFileSync(join(dist, 'LICENSES.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n\n`);
  const licences = new Map(
    parts.map((part) => [/^(\S+ \S+) \([\w. -]+\)\n\n/.exec(part)?.[1], part]),
  );
  // Data that is not from a package.
  const data = `caniemail ${supportUpdated}`;
  expect([...licences.keys()].sort()).toEqual([...packages, data].sort());
  for (const text of licences.values()) {
    expect(text).toMatch(/permission|redistribution|licensed under/i);
    expect(text).toMatch(/copyright/i);
  }
});

test('names every package in it, for mailer version', () => {
  // Written by the build, in this shape.
  const { packages } = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')) as {
    readonly packages: readonly { readonly name: string; readonly version: string }[];
  };
  const named = packages.map(({ name, version }) => `${name} ${version}`);
  const found = new Set(sources.map(packageOf).filter((one) => one !== undefined));
  expect(named).toEqual([...found].sort());
});

test('has the notice of a licence', async () => {
  const directory = join(temporaryDirectory(), 'node_modules', 'noted');
  mkdirSync(directory, { recursive: true });
  const files = {
    'package.json': '{ "name": "noted", "version": "1.0.0", "license": "Apache-2.0" }',
    LICENSE: 'The licence.',
    'NOTICE.txt': 'The notice.',
    'index.js': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const { licencesOf } = (await import(script('licences.js'))) as {
    readonly licencesOf: (modules: readonly string[]) => string;
  };
  expect(licencesOf([join(directory, 'index.js')])).toBe(
    'noted 1.0.0 (Apache-2.0)\n\nThe licence.\n\nThe notice.\n',
  );
});

test('comments that a licence requires are kept', () => {
  const built = readdirSync(dist).filter((name) => name.endsWith('.cjs'));
  const text = built.map((name) => readFileSync(join(dist, name), 'utf8')).join();
  const legal = sources
    .filter((source) => /node_modules.*\.[cm]?js$/.test(source))
    .flatMap((source) => readFileSync(join(root, source), 'utf8').match(/\/\*!.*?\*\//gs) ?? []);
  expect(legal).not.toEqual([]);
  // Wrapped modules are indented.
  const flat = (lines: string) => lines.replaceAll(/\s+/g, ' ');
  const all = flat(text);
  expect(legal.filter((comment) => !all.includes(flat(comment)))).toEqual([]);
});

test('syntax that is newer than the oldest Node is transpiled', async () => {
  const directory = temporaryDirectory();
  const source = join(directory, 'newer.ts');
  writeFileSync(source, "using one = { [Symbol.dispose]: () => console.log('disposed') };\n");
  const { bundle } = (await import(script('bundle.js'))) as {
    readonly bundle: (source: string, directory: string) => Promise<unknown>;
  };
  await bundle(source, directory);
  expect(readFileSync(join(directory, 'newer.cjs'), 'utf8')).not.toMatch(/\busing one\b/);
});

test('there are no source maps and no paths of the build', () => {
  const others = ['completions', 'testing'];
  const forTests = readdirSync(join(dist, 'testing')).map((name) => `testing/${name}`);
  const files = readdirSync(dist).filter((one) => !others.includes(one));
  for (const name of [...files, ...forTests]) {
    expect(name).toMatch(/\.(cjs|txt|json|js|d\.ts)$/);
    const text = readFileSync(join(dist, name), 'utf8');
    expect({ name, maps: text.match(/^\/[/*][#@] sourceMappingURL=/gm) }).toEqual({
      name,
      maps: null,
    });
    expect({ name, found: text.includes(`"${root}`) || text.includes(`'${root}`) }).toEqual({
      name,
      found: false,
    });
  }
});

test('a build does not empty a directory that is not of an earlier one', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'mine.txt'), 'kept');
  const script = join(root, 'scripts', 'build', 'build.js');
  expect(await runInThread(script, ['--outdir', directory])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `${directory} has files in it, and not those of a build. Nothing was done.\n`,
  });
  expect(readdirSync(directory)).toEqual(['mine.txt']);
});
