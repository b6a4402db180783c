import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { installed, needing, notWindows } from '../../support/needs.ts';
import { root, temporaryDirectory } from '../../support/process.ts';
import { scripts, testPrograms } from '../../support/workflows.ts';

// Of the workflows, what needs a shell.

describe('programs of others', needing(notWindows), () => {
  test('are installed, and the browser is found', async () => {
    const place = temporaryDirectory();
    // Replacements for the programs of such a machine, which print their arguments.
    for (const name of ['sudo', 'google-chrome']) {
      writeFileSync(join(place, name), `#!/bin/sh\necho "$@"\n`, { mode: 0o755 });
    }
    const { stdout } = await execa(join(root, testPrograms), [], {
      env: { PATH: `${place}:${process.env.PATH}`, GITHUB_ENV: join(place, 'environment') },
    });
    const [update, install = '', ...rest] = stdout.split('\n');
    expect({ update, rest }).toEqual({ update: 'apt-get update', rest: [] });
    const [command, verb, ...words] = install.split(' ');
    expect([command, verb]).toEqual(['apt-get', 'install']);
    expect(words).toEqual(expect.arrayContaining(['--yes', 'fish', 'shellcheck', 'zsh']));
    const environment = readFileSync(join(place, 'environment'), 'utf8');
    expect(environment).toBe(`CHROMIUM=${join(place, 'google-chrome')}\n`);
  });

  test('end the job if one cannot be installed', async () => {
    const place = temporaryDirectory();
    writeFileSync(join(place, 'sudo'), '#!/bin/sh\n[ "$2" = update ]\n', { mode: 0o755 });
    const { exitCode } = await execa(join(root, testPrograms), [], {
      env: { PATH: `${place}:${process.env.PATH}`, GITHUB_ENV: join(place, 'environment') },
      reject: false,
    });
    expect(exitCode).toBe(1);
  });
});

describe('the scripts in them', () => {
  /** Runs a program on each script, as GitHub runs it. */
  function check(program: string, words: readonly string[]) {
    const directory = temporaryDirectory();
    const files = scripts.map(([where, script], index) => {
      const file = join(directory, `${index} ${where.replaceAll('/', ' ')}`);
      writeFileSync(file, `set -eo pipefail\n${script}`);
      return file;
    });
    return execa(program, [...words, ...files], { all: true, reject: false });
  }

  test('are bash', async () => {
    const each = 'for file; do bash -n "$file" || exit; done';
    const { exitCode, all } = await check('bash', ['-c', each, 'bash']);
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '' });
  });

  test('have no complaint of shellcheck', needing(installed('shellcheck')), async () => {
    const words = ['--shell=bash', '--enable=quote-safe-variables'];
    const { exitCode, all } = await check('shellcheck', words);
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '' });
  });
});

describe('a release', () => {
  const script = scripts.find(([, text]) => text.includes('release-notes.js'))?.[1] ?? '';

  /** Runs the step that checks tag, version and change log, as GitHub's runner does. */
  async function check(tag: string, version: string, changelog: string, performance = '') {
    const checkout = temporaryDirectory();
    for (const name of ['scripts/release', 'docs']) {
      mkdirSync(join(checkout, name), { recursive: true });
    }
    writeFileSync(join(checkout, 'docs', 'performance.md'), performance);
    writeFileSync(join(checkout, 'package.json'), JSON.stringify({ version, type: 'module' }));
    writeFileSync(join(checkout, 'CHANGELOG.md'), changelog);
    const notes = 'scripts/release/release-notes.js';
    writeFileSync(join(checkout, notes), readFileSync(join(root, notes)));
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const { exitCode, stdout } = await execa('bash', words, {
      cwd: checkout,
      env: { GITHUB_REF_NAME: tag },
      reject: false,
    });
    return { exitCode, notes: stdout };
  }

  test('takes its notes from the change log', async () => {
    const outcome = await check(
      'v1.2.3',
      '1.2.3',
      '# Changelog\n\n## 1.2.3 (2026-11-21)\n\n- one\n',
    );
    expect(outcome).toEqual({ exitCode: 0, notes: '- one' });
  });

  test.each([
    ['the tag of another version', 'v1.2.4', '1.2.3', '## 1.2.4\n\n- one\n'],
    ['a version that is not released yet', 'v1.2.3', '1.2.3', '## 1.2.3 (unreleased)\n\n- one\n'],
    ['a version that the change log does not know', 'v1.2.3', '1.2.3', '## 1.2.2\n\n- one\n'],
  ])('is not made with %s', async (_, tag, version, changelog) => {
    expect((await check(tag, version, `# Changelog\n\n${changelog}`)).exitCode).toBe(1);
  });

  test('is not made while benches have no figures', async () => {
    const changelog = '# Changelog\n\n## 1.2.3 (2026-11-21)\n\n- one\n';
    const page = '## Bulk: `npm run bench -- bulk`\n\n```text\nNot measured yet.\n```\n';
    expect((await check('v1.2.3', '1.2.3', changelog, page)).exitCode).toBe(1);
  });
});
