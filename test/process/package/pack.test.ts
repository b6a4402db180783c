import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups, manifest } from '../../../src/commands/manifest.ts';
import { createPlace, finished, isExecutable, node, root } from '../../support/process.ts';
import { serveSandbox } from '../../support/served.ts';
import { filesIn, read } from '../../support/sources.ts';

/** The largest download size of the package, of which 0.6 MB are jq. */
const mostBytes = 3 * 1000 * 1000;

/** Everything in it except the files that the build names by their content. */
const expected = [
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
  'bin/mailer.js',
  'bin/package.json',
  'dist/compile-cache.cjs',
  'dist/process.cjs',
  'dist/LICENSES.txt',
  ...['mailer.bash', '_mailer', 'mailer.fish', 'mailer.ps1'].map(
    (name) => `dist/completions/${name}`,
  ),
  ...['index', 'account', 'mailbox', 'request'].flatMap((name) => [
    `dist/testing/${name}.js`,
    `dist/testing/${name}.d.ts`,
  ]),
  ...manualPages(),
  ...[...manifest.map(({ words }) => words.join('-')), 'error', 'dry-run'].map(
    (name) => `schemas/${name}.json`,
  ),
  ...filesIn('docs/**/*.{md,svg}'),
];

const isBuilt = (path: string) => /^dist\/[\w-]+-[0-9a-z]{8}\.cjs$/.test(path);

/** One manual page for the program, each group and each command. */
function manualPages(): readonly string[] {
  const words = [
    [],
    ...Object.keys(groups).map((name) => name.split(' ')),
    ...manifest.map((one) => one.words),
  ];
  return words.map((names) => `man/${['mailer', ...names].join('-')}.1`);
}

/** The output of `npm pack --json`. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

describe.skipIf(isExecutable)('the npm package', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mailer-packed-'));
  const staged = join(directory, 'staged');
  const prefix = join(directory, 'prefix');
  const installed =
    process.platform === 'win32'
      ? join(prefix, 'node_modules', 'mailer-cli')
      : join(prefix, 'lib', 'node_modules', 'mailer-cli');
  /** A machine with nothing in npm's cache, and no network. */
  const env = {
    PATH: [dirname(node), process.env.PATH ?? ''].join(delimiter),
    HOME: directory,
    npm_config_cache: join(directory, 'cache'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_update_notifier: 'false',
  };
  const npm = (words: readonly string[]) =>
    execa('npm', words, { cwd: staged, env, extendEnv: process.platform === 'win32' });
  let packed: Packed;

  beforeAll(async () => {
    // What prepack does besides the build, which the other tests use meanwhile.
    const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };
    for (const name of ['package.json', ...files]) {
      if (!existsSync(join(root, name))) continue;
      cpSync(join(root, name), join(staged, name), { recursive: true });
    }
    await execa(node, [join(root, 'scripts', 'docs', 'write-package-docs.ts'), staged]);
    const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory];
    // npm prints this shape for each package, here for one; since version 12 by name.
    const said: unknown = JSON.parse((await npm(words)).stdout);
    const [first] = Object.values(said as Readonly<Record<string, Packed>>);
    if (first === undefined) throw new Error('npm pack has packed nothing');
    packed = first;
    const file = join(directory, packed.filename);
    await npm(['install', '--global', '--offline', '--no-audit', '--prefix', prefix, file]);
  }, 60_000);

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** A place with the installed program. */
  const file = join(installed, 'bin', 'mailer.js');

  test('is small', () => {
    expect(packed.size).toBeLessThanOrEqual(mostBytes);
    expect(packed.size).toBe(statSync(join(directory, packed.filename)).size);
    const told = /The package is about ([\d.]+) MB, and at most 3 MB/.exec(read('docs/release.md'));
    expect(Math.abs(packed.size / 1e6 - Number(told?.[1]))).toBeLessThan(0.2);
  });

  test('has its files, and no others', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !isBuilt(path)).sort()).toEqual(expected.sort());
    const built = readdirSync(join(root, 'dist')).map((name) => `dist/${name}`);
    expect(paths.filter(isBuilt).sort()).toEqual(built.filter(isBuilt).sort());
  });

  test('has no path of the machine that built it', () => {
    const here = [root.slice(0, -1), dirname(realpathSync(join(root, 'node_modules')))];
    const naming = packed.files.filter(({ path }) => {
      const text = readFileSync(join(installed, path), 'latin1');
      return here.some((name) => text.includes(name));
    });
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  test('has no private key, not even a sample', () => {
    const keeping = packed.files.filter(({ path }) =>
      readFileSync(join(installed, path), 'latin1').includes('PRIVATE KEY'),
    );
    expect(keeping.map(({ path }) => path)).toEqual([]);
  });

  test('has all files that its pages link to', () => {
    const pages = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.md'));
    const missing = pages.flatMap((page) => {
      const text = readFileSync(join(installed, page), 'utf8');
      const targets = [...text.matchAll(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g)].map(([, to = '']) => to);
      return (
        targets
          // A placeholder of the service is no file.
          .filter(
            (to) =>
              !/^(?:[a-z]+:|\{\{)/.test(to) && !existsSync(join(installed, dirname(page), to)),
          )
          .map((to) => `${page}: ${to}`)
      );
    });
    expect(missing).toEqual([]);
  });

  test('needs no other package', () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      readonly dependencies?: unknown;
    };
    expect(dependencies).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('puts mailer on the PATH', async () => {
    const place = createPlace({ PATH: [join(prefix, 'bin'), env.PATH].join(delimiter) });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    const { stdout } = await execa('mailer', ['--version'], { env: place.env, extendEnv: false });
    expect(stdout).toBe(version);
  });

  test.skipIf(process.platform === 'win32')('installs its manual pages', () => {
    const pages = readdirSync(join(prefix, 'share', 'man', 'man1'));
    expect(pages.map((name) => `man/${name}`).sort()).toEqual(manualPages().toSorted());
  });

  test('shows its help, and sends', async () => {
    const place = createPlace();
    const help = await place.run('--help', { file });
    expect(help.stdout).toContain('Usage: mailer <command>');
    const words = 'email send --sandbox --from hello@example.com --to a@b.c --subject S --text T';
    const sent = await place.run(`${words} --wait --json`, { file });
    expect(sent).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(sent.stdout)).toHaveProperty('emailEvents.0.status', 'DELIVERED');
  });

  test('serves the sandbox with its inbox', async () => {
    const sandbox = await serveSandbox(createPlace(), ['--port', '0'], { file });
    const page = await fetch(sandbox.url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Welcome, Ben!');
    sandbox.process.kill('SIGINT');
    expect(await finished(sandbox.process)).toMatchObject({ exitCode: 130 });
  });
});
