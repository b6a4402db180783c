import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { groups, manifest } from '../../../src/commands/manifest.ts';
import { copyCheckout } from '../../support/checkout.ts';
import { linux, type Need, needing, notWindows } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, node, root } from '../../support/process.ts';
import { createWorld } from '../../support/run.ts';
import { firstLine } from '../../support/served.ts';
import { filesIn, read } from '../../support/sources.ts';
import { buildah, buildImage, npmBesideNode, urlOf } from './container.ts';

// One checkout, in the order in which a person would go on: it is built, packed, installed and built into an image, each
// once, because each takes seconds.

/** The largest download size of the package, of which 0.6 MB are jq. */
const mostBytes = 3.3 * 1000 * 1000;

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
  'dist/build.json',
  ...['mailer.bash', '_mailer', 'mailer.fish', 'mailer.ps1'].map(
    (name) => `dist/completions/${name}`,
  ),
  ...['index', 'account', 'mailbox', 'request'].flatMap((name) => [
    `dist/testing/${name}.js`,
    `dist/testing/${name}.d.ts`,
  ]),
  ...manualPages(),
  ...[...manifest.map(({ words }) => words.join('-')), 'error', 'dry-run', 'for-approval'].map(
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

const isWindows = process.platform === 'win32';
const built: Need = { isMet: !process.env.MAILER_BIN, why: 'it packs what is built here' };

/** For what takes npm or a build, which come several times here. */
const timeout = 3 * patience;

describe('a checkout', needing(built), () => {
  const home = mkdtempSync(join(tmpdir(), 'mailer-checkout-'));
  const checkout = join(home, 'checkout');
  const prefix = join(home, 'prefix');
  const installed = join(prefix, isWindows ? '' : 'lib', 'node_modules', 'mailer-cli');
  /** A machine with nothing in npm's cache, and no network. */
  const env = {
    PATH: [dirname(node), process.env.PATH ?? ''].join(delimiter),
    HOME: home,
    npm_config_cache: join(home, 'cache'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_update_notifier: 'false',
  };
  /** Runs a program without access to a registry. */
  const run = (
    file: string,
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ) =>
    execa(file, words, {
      cwd: checkout,
      env: { ...env, ...more },
      extendEnv: isWindows,
      reject: false,
    });

  beforeAll(async () => {
    // npm ci would remove everything in node_modules, to which the copy has links.
    const script = new URL('scripts/checkout.js', `file://${root}`).href;
    const { isInstalled } = (await import(script)) as { readonly isInstalled: () => boolean };
    if (!isInstalled()) throw new Error('the packages are not those of the lockfile');
    mkdirSync(checkout);
    copyCheckout(checkout);
  });

  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const source = join('src', 'cli', 'process.ts');

  /** Leaves a build of another source. */
  function leaveOlderBuild(): void {
    const built = join(checkout, 'dist');
    mkdirSync(built, { recursive: true });
    for (const name of ['process.cjs', 'first-0000.cjs']) {
      writeFileSync(join(built, name), 'throw new Error("of another time");\n');
    }
  }

  test('that has not been built has an error of one line', async () => {
    const file = join(checkout, 'bin', 'mailer.js');
    expect(await createPlace().run('email list', { file })).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'mailer is not built yet: npm run build\n',
    });
  });

  test('npm start builds, sends and lists, and ends with the command that installs mailer', {
    timeout,
  }, async () => {
    leaveOlderBuild();
    // Instead of the whole program.
    const shown = 'console.log("of this source: " + words.join("\\t"))';
    writeFileSync(
      join(checkout, source),
      `export const runHere = (words: string[]) => ${shown};\n`,
    );
    const { exitCode, stdout } = await run(node, ['scripts/start.js']);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)?.trim()).toBe(
      `npm install --global ${realpathSync(checkout)}`,
    );
    const lines = [...stdout.matchAll(/^of this source: (.*)$/gm)].map(([, line = '']) => line);
    const world = createWorld();
    for (const line of lines) {
      expect(await world.run(line.split('\t'))).toMatchObject({ exitCode: 0 });
    }
    expect(lines.map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
      'email send',
      'email list',
    ]);
  });

  describe('packed', () => {
    let packed: Packed;
    let file: string;

    beforeAll(async () => {
      leaveOlderBuild();
      copyFileSync(join(root, source), join(checkout, source));
      const ended = await run('npm', ['pack', '--json', '--pack-destination', home]);
      expect(ended).toMatchObject({ exitCode: 0 });
      // npm prints this shape for each package, here for one; since version 12 by name.
      const said: unknown = JSON.parse(ended.stdout);
      const [first] = Object.values(said as Readonly<Record<string, Packed>>);
      if (first === undefined) throw new Error('npm pack has packed nothing');
      packed = first;
      file = join(home, packed.filename);
      const words = ['install', '--global', '--offline', '--no-audit', '--prefix', prefix, file];
      expect(await run('npm', words)).toMatchObject({ exitCode: 0 });
    }, timeout);

    test('is small', () => {
      expect(packed.size).toBeLessThanOrEqual(mostBytes);
      expect(packed.size).toBe(statSync(file).size);
      const told = /The package is about ([\d.]+) MB, and at most 3\.3 MB/.exec(
        read('docs/release.md'),
      );
      expect(Math.abs(packed.size / 1e6 - Number(told?.[1]))).toBeLessThan(0.2);
    });

    test('has its files as built from the current source, and no others', () => {
      const paths = packed.files.map(({ path }) => path);
      expect(paths.filter((path) => !isBuilt(path)).sort()).toEqual(expected.sort());
      // As built before the tests from the same source: their names are of their content.
      const built = readdirSync(join(root, 'dist')).map((name) => `dist/${name}`);
      expect(paths.filter(isBuilt).sort()).toEqual(built.filter(isBuilt).sort());
      expect(readFileSync(join(installed, 'dist', 'process.cjs'))).toEqual(
        readFileSync(join(root, 'dist', 'process.cjs')),
      );
    });

    test('has no path of the machine that built it', () => {
      const packages = dirname(realpathSync(join(root, 'node_modules')));
      const here = [root.slice(0, -1), packages, realpathSync(checkout)];
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
      const { dependencies } = JSON.parse(
        readFileSync(join(installed, 'package.json'), 'utf8'),
      ) as {
        readonly dependencies?: unknown;
      };
      expect(dependencies).toBeUndefined();
    });

    test('installs its manual pages', needing(notWindows), () => {
      const pages = readdirSync(join(prefix, 'share', 'man', 'man1'));
      expect(pages.map((name) => `man/${name}`).sort()).toEqual(manualPages().toSorted());
    });

    // The script does what a workflow does after an install, and more than its help page and a send.
    test('puts mailer on the PATH, and it works', { timeout }, async () => {
      const PATH = [isWindows ? prefix : join(prefix, 'bin'), env.PATH].join(delimiter);
      const temporary = join(home, 'temporary');
      mkdirSync(temporary);
      const { exitCode, stdout, stderr } = await run(
        process.execPath,
        [join(root, 'scripts', 'release', 'smoke.js'), 'mailer'],
        { PATH, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
      );
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout.split('\n')).toHaveLength(6);
      expect(readdirSync(temporary)).toEqual([]);
    });

    test('is installed for tests as docs/testing.md says, which start a sandbox', {
      timeout,
    }, async () => {
      const line = /npm install --save-dev \S+/.exec(read('docs/testing.md'))?.[0] ?? '';
      expect(line).toContain(packed.filename);
      const project = join(home, 'project');
      mkdirSync(project);
      const words = ['install', '--save-dev', '--offline', '--no-audit', file];
      const ended = await execa('npm', words, { cwd: project, env, extendEnv: isWindows });
      expect(ended.exitCode).toBe(0);
      writeFileSync(
        join(project, 'start.mjs'),
        "import { startSandbox } from 'mailer-cli/testing';\nconst { stop, url } = await startSandbox();\nconsole.log(url);\nawait stop();\n",
      );
      const { stdout } = await execa(process.execPath, ['start.mjs'], { cwd: project, env });
      expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    });

    test('is installed by the Containerfile of docs/sandbox.md, whose image serves the sandbox without root', {
      timeout,
      ...needing(linux, npmBesideNode, buildah),
    }, async () => {
      const blocks = [...read('docs/sandbox.md').matchAll(/```\w+ ?(\w*)\n(.*?)```/gs)].map(
        ([, , text = '']) => text,
      );
      const containerfile = blocks.find((text) => text.startsWith('FROM ')) ?? '';
      const command = blocks.find((text) => text.includes('podman build')) ?? '';
      const [, flags = ''] = /podman build (.*) --build-arg/.exec(command) ?? [];
      const from = ['--build-arg', `MAILER_PACKAGE=${await urlOf(file)}`];
      const image = await buildImage(containerfile, [...flags.split(' '), ...from]);
      // Such as a health check that the format of the image has no place for.
      expect(image.stderr).not.toContain('level=warning');
      const { User, Entrypoint, Cmd, Healthcheck } = image.config;
      expect(User).toBe('node');
      // Containers of chroot isolation have the network of the machine, where these ports may be taken.
      const free = [...Entrypoint.map((word) => (word === '1025' ? '0' : word)), '--port', '0'];
      const serving = image.run([...free, ...Cmd, '--json']);
      onTestFinished(async () => {
        // SIGKILL would not reach the program, which is not a child of this process.
        serving.kill('SIGTERM');
        await serving.catch(() => {});
      });
      const { url, port } = JSON.parse(await firstLine(serving));
      const [kind, ...check] = Healthcheck.Test;
      expect(kind).toBe('CMD');
      const named = ['sh', '-c', 'id -un && exec "$@"', 'sh'];
      const on = (port: number) => check.map((word) => word.replace('4100', String(port)));
      expect((await image.run([...named, ...on(port)])).stdout).toBe('node');
      await expect(image.run(on(1))).rejects.toThrow();
      // As another container calls it.
      const host = Cmd[Cmd.indexOf('--allow-host') + 1];
      const called = await execa('curl', ['-s', '-H', `Host: ${host}`, `${url}/healthz`]);
      expect(JSON.parse(called.stdout)).toEqual({ status: 'ok' });
    });
  });

  test('is installed by that command', { timeout }, async () => {
    const linked = join(home, 'linked');
    await run('npm', ['install', '--global', realpathSync(checkout), '--prefix', linked]);
    const program = isWindows ? join(linked, 'mailer.cmd') : join(linked, 'bin', 'mailer');
    const { stdout: version } = await run(program, ['--version']);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  describe('npm run build:binary', needing(notWindows), () => {
    /** Puts this in the place of Bun, has nothing to bundle, and an executable of an earlier build. */
    function withBun(script: string): void {
      writeFileSync(join(checkout, 'src', 'cli', 'executable.ts'), '');
      const pinned = readFileSync(
        join(checkout, 'scripts', 'build', 'bun', 'package.json'),
        'utf8',
      );
      // The file that pins Bun.
      const { optionalDependencies } = JSON.parse(pinned) as BunPackage;
      const [version = ''] = Object.values(optionalDependencies);
      const name = `bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
      const platform = `${process.platform}-${process.arch}`;
      const bin = join(
        ...[checkout, 'node_modules', '.cache', `bun-${version}`, platform],
        ...['node_modules', '@oven', name, 'bin'],
      );
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'bun'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      mkdirSync(join(checkout, 'binary'), { recursive: true });
      writeFileSync(join(checkout, 'binary', 'mailer'), 'the one before');
    }

    const binary = join(checkout, 'binary');

    test('replaces it by what Bun makes of one file', { timeout }, async () => {
      withBun(
        'for word; do case $word in --outfile=*) echo new > `echo $word | cut -d= -f2`; esac; done',
      );
      const { exitCode, stdout, stderr } = await run(node, ['scripts/build/build-binary.js']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const outdir = realpathSync(binary);
      expect(stdout).toBe(
        `Wrote ${join(outdir, 'mailer')} (0 MiB). Pass its licences on with it, from ${outdir}`,
      );
      expect(readdirSync(binary).sort()).toEqual(['LICENSE', 'LICENSES.txt', 'mailer']);
      expect(readFileSync(join(binary, 'mailer'), 'utf8')).toBe('new\n');
      expect(existsSync(join(checkout, 'binary-new'))).toBe(false);
    });

    test('keeps the executable if it fails', { timeout }, async () => {
      withBun('echo "no space" >&2; exit 1');
      const { exitCode, stderr } = await run(node, ['scripts/build/build-binary.js']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'no space' });
      expect(readFileSync(join(binary, 'mailer'), 'utf8')).toBe('the one before');
      expect(existsSync(join(checkout, 'binary-new'))).toBe(false);
    });

    test('names the platforms that there are', async () => {
      const words = ['scripts/build/build-binary.js', 'bun-bogus'];
      const { exitCode, stderr } = await run(node, words);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(
        /^There is no Bun for bun-bogus\. Platforms: linux-x64, .*windows-arm64$/,
      );
    });
  });
});

interface BunPackage {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}
