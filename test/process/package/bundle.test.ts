import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { supportUpdated } from '../../../src/shared/check/support.ts';
import { repeat } from '../../support/batch-run.ts';
import { copyCheckout } from '../../support/checkout.ts';
import { createPlace, isExecutable, root, temporaryDirectory } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';
import { read } from '../../support/sources.ts';

const build = join('scripts', 'build', 'build.js');
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
  const source = pathToFileURL(join(root, 'scripts', 'build', 'licences.js'));
  const script = `import { licencesOf } from '${source}';
    process.stdout.write(licencesOf([${JSON.stringify(join(directory, 'index.js'))}]));`;
  const { stdout } = await runScript(script);
  expect(stdout).toBe('noted 1.0.0 (Apache-2.0)\n\nThe licence.\n\nThe notice.');
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

/** Bundles a script with `scripts/build/bundle.js`, and runs it. */
async function runScript(script: string) {
  return await execa(process.execPath, ['--input-type=module', '--eval', script]);
}

async function bundle(source: string, directory: string): Promise<void> {
  const file = pathToFileURL(join(root, 'scripts', 'build', 'bundle.js'));
  await runScript(`import { bundle } from '${file}';
    await bundle(${JSON.stringify(source)}, ${JSON.stringify(directory)});`);
}

test('syntax that is newer than the oldest Node is transpiled', async () => {
  const directory = temporaryDirectory();
  const source = join(directory, 'newer.ts');
  writeFileSync(source, "using one = { [Symbol.dispose]: () => console.log('disposed') };\n");
  await bundle(source, directory);
  expect(readFileSync(join(directory, 'newer.cjs'), 'utf8')).not.toMatch(/\busing one\b/);
});

describe('the first file of the executable, on Node,', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mailer-executable-'));
  const file = join(directory, 'executable.cjs');
  beforeAll(() => bundle('src/cli/executable.ts', directory));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each([
    ['--version', 0, /^\d+\.\d+\.\d+\n$/],
    ['email list --sandbox', 0, /\temail_receipt|^id\t/],
    ['email lst', 2, /^$/],
  ])('runs %s', async (words, exitCode, stdout) => {
    expect(await createPlace().run(words, { file })).toMatchObject({
      exitCode,
      stdout: expect.stringMatching(stdout),
    });
  });
});

test.skipIf(isExecutable)('the size of headers that Node is given applies', async () => {
  const { baseUrl } = await startRecorder(
    ...repeat(2, { headers: { 'x-long': 'x'.repeat(20_000) }, body: [] }),
  );
  const env = { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: baseUrl };
  const place = createPlace();
  const words = ['domain', 'list', '--json', '--retries', '0'];
  const refused = await place.run(words, { env });
  expect(refused).toMatchObject({
    exitCode: 7,
    stderr: expect.stringContaining('Header overflow'),
  });
  const given = { ...env, NODE_OPTIONS: '--max-http-header-size=65536' };
  expect(await place.run(words, { env: given })).toMatchObject({ exitCode: 0, stderr: '' });
});

test('there are no source maps and no paths of the build', () => {
  const others = ['completions', 'testing'];
  const forTests = readdirSync(join(dist, 'testing')).map((name) => `testing/${name}`);
  const files = readdirSync(dist).filter((one) => !others.includes(one));
  for (const name of [...files, ...forTests]) {
    expect(name).toMatch(/\.(cjs|txt|js|d\.ts)$/);
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

describe('a build', () => {
  test('does not empty a directory that is not of an earlier one', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'mine.txt'), 'kept');
    const words = [join(root, build), '--outdir', directory];
    const { exitCode, stderr } = await execa(process.execPath, words, { reject: false });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `${directory} has files in it, and not those of a build. Nothing was done.`,
    });
    expect(readdirSync(directory)).toEqual(['mine.txt']);
  });

  test('empties the directory of an earlier one', async () => {
    const checkout = copyCheckout();
    // Instead of the whole program.
    writeFileSync(join(checkout, 'src', 'cli', 'process.ts'), 'export const runHere = () => {};\n');
    const directory = temporaryDirectory();
    for (const name of ['process.cjs', 'first-0000.cjs']) writeFileSync(join(directory, name), '');
    await execa(process.execPath, [join(checkout, build), '--outdir', directory]);
    expect(readFileSync(join(directory, 'process.cjs'), 'utf8')).toContain('runHere');
    expect(readdirSync(directory)).not.toContain('first-0000.cjs');
  });
});
