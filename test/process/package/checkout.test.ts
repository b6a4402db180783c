import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyCheckout } from '../../support/checkout.ts';
import { createPlace, isAnother, node, root } from '../../support/process.ts';

beforeEach(({ skip }) => skip(isAnother, 'another program than the built one is under test'));

/** Runs the toolchain's Node, or npm on it, in a checkout, without access to a registry. */
async function run(directory: string, file: string, words: readonly string[]) {
  return await execa(file, words, {
    cwd: directory,
    env: {
      PATH: [dirname(node), process.env.PATH ?? ''].join(delimiter),
      HOME: directory,
      npm_config_cache: join(directory, 'cache'),
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_update_notifier: 'false',
    },
    reject: false,
  });
}

test('a checkout that has not been built has an error of one line', async () => {
  const directory = copyCheckout();
  const file = join(directory, 'bin', 'mailer.js');
  const { exitCode, stdout, stderr } = await createPlace().run('email list', { file });
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'mailer is not built yet: npm run build\n',
  });
});

/** Milliseconds for npm and the build on a busy machine. */
const timeout = 180_000;

describe('npm pack', () => {
  // npm ci would remove everything in node_modules.
  beforeEach(async () => {
    const { isInstalled } = (await import(
      new URL('scripts/checkout.js', `file://${root}`).href
    )) as {
      isInstalled: () => boolean;
    };
    if (!isInstalled()) throw new Error('the packages are not those of the lockfile');
  });

  test('builds what it packs from the current source', { timeout }, async () => {
    const directory = copyCheckout();
    mkdirSync(join(directory, 'dist'));
    writeFileSync(join(directory, 'dist', 'process.cjs'), '// of another time\n');
    // Instead of the whole program.
    const source = "export const runHere = () => process.stdout.write('of this source\\n');\n";
    writeFileSync(join(directory, 'src', 'cli', 'process.ts'), source);
    const { exitCode, stdout: packed, stderr } = await run(directory, 'npm', ['pack']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    rmSync(join(directory, 'dist'), { recursive: true });
    await run(directory, 'tar', ['-xzf', packed.split('\n').at(-1) ?? '']);
    const file = join(directory, 'package', 'bin', 'mailer.js');
    const { stdout } = await createPlace().run('--version', { file });
    expect(stdout).toBe('of this source\n');
  });
});

describe('npm start', () => {
  test('ends with the command that installs mailer, which works', { timeout }, async () => {
    const directory = copyCheckout();
    const { exitCode, stdout } = await run(directory, node, ['scripts/start.js']);
    expect(exitCode).toBe(0);
    const words = stdout.trimEnd().split('\n').at(-1)?.trim().split(' ') ?? [];
    expect(words).toEqual(['npm', 'install', '--global', realpathSync(directory)]);
    const prefix = join(directory, 'prefix');
    await run(tmpdir(), 'npm', [...words.slice(1), '--prefix', prefix]);
    const file = join(prefix, 'bin', 'mailer');
    const { stdout: version } = await run(tmpdir(), file, ['--version']);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

interface BunPackage {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

describe.skipIf(process.platform === 'win32')('npm run build:binary', () => {
  /** A checkout with this instead of Bun, and nothing to bundle. */
  function withBun(script: string): string {
    const directory = copyCheckout();
    writeFileSync(join(directory, 'src', 'cli', 'executable.ts'), '');
    const pinned = readFileSync(join(directory, 'scripts', 'build', 'bun', 'package.json'), 'utf8');
    // The file that pins Bun.
    const { optionalDependencies } = JSON.parse(pinned) as BunPackage;
    const [version = ''] = Object.values(optionalDependencies);
    const name = `bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
    const bin = join(
      ...[directory, 'node_modules', '.cache', `bun-${version}`],
      ...['node_modules', '@oven', name, 'bin'],
    );
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'bun'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    mkdirSync(join(directory, 'binary'));
    writeFileSync(join(directory, 'binary', 'mailer'), 'the one before');
    return directory;
  }

  test('keeps the executable if it fails', { timeout }, async () => {
    const directory = withBun('echo "no such target" >&2; exit 1');
    const words = ['scripts/build/build-binary.js', 'bun-bogus'];
    const { exitCode, stderr } = await run(directory, node, words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'no such target' });
    expect(readFileSync(join(directory, 'binary', 'mailer'), 'utf8')).toBe('the one before');
    expect(existsSync(join(directory, 'binary-new'))).toBe(false);
  });

  test('replaces it', { timeout }, async () => {
    const directory = withBun(
      'for word; do case $word in --outfile=*) echo new > `echo $word | cut -d= -f2`; esac; done',
    );
    const words = ['scripts/build/build-binary.js'];
    const { exitCode, stdout, stderr } = await run(directory, node, words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const outdir = join(realpathSync(directory), 'binary');
    expect(stdout).toBe(
      `Wrote ${join(outdir, 'mailer')} (0 MiB). Pass its licences on with it, from ${outdir}`,
    );
    expect(readdirSync(join(directory, 'binary')).sort()).toEqual([
      'LICENSE',
      'LICENSES.txt',
      'mailer',
    ]);
    expect(readFileSync(join(directory, 'binary', 'mailer'), 'utf8')).toBe('new\n');
    expect(existsSync(join(directory, 'binary-new'))).toBe(false);
  });
});
