import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needing, works } from '../support/needs.ts';
import { createRelease, serveFiles } from '../support/release-files.ts';
import { createWorld } from '../support/run.ts';
import { read } from '../support/sources.ts';
import { openPage } from './page.ts';

// What the page says of a file is tried on a release of one archive.

const page = openPage('docs/verify.md', { sha256sum: works('sha256sum --version', 'coreutils') });

page.recipe('sums', (text) => {
  const check = (cwd: string) => execa('sh', ['-e', '-c', text], { cwd, reject: false, all: true });

  test('accepts the file of the release, and no other', async () => {
    const { directory, sums } = await createRelease('1.2.3');
    sums((lines) => `${lines}${'0'.repeat(64)}  not-downloaded.deb\n`);
    const archive = 'mailer-1.2.3-linux-x64.tar.gz';
    expect(await check(directory)).toMatchObject({ exitCode: 0, all: `${archive}: OK` });
    writeFileSync(join(directory, archive), 'changed');
    expect((await check(directory)).exitCode).toBe(1);
  });
});

page.recipe('commit', (text) => {
  test('has the fields that the page names', async () => {
    const { stdout } = await createWorld().run(text.trim().replace('mailer ', ''));
    const shown = readFileSync(page.path, 'utf8');
    for (const name of Object.keys(JSON.parse(stdout)).filter((one) => one !== 'version')) {
      expect(shown).toContain(`\`${name}\``);
    }
  });
});

test('every block is tried', () => {
  expect(page.blocks.map(({ name }) => name)).toEqual([...page.claims.keys()]);
});

test('npm runs nothing of the package at installation, and installs nothing besides', () => {
  // package.json has objects in these places.
  const { scripts, ...rest } = JSON.parse(read('package.json')) as Record<string, object>;
  const names = ['preinstall', 'install', 'postinstall', 'prepare', 'dependencies'];
  expect(Object.keys({ ...scripts, ...rest }).filter((name) => names.includes(name))).toEqual([]);
});

test(
  'what the README says of install.sh works',
  needing(works('curl --version', 'curl')),
  async () => {
    const { directory } = await createRelease('1.2.3');
    await execa('cp', ['install.sh', directory]);
    const { url } = await serveFiles(directory);
    const [, line = ''] = /^- executable.*?`(.*?)`/m.exec(read('README.md')) ?? [];
    const { home } = createWorld();
    const env = { HOME: home, PATH: `${home}:${process.env.PATH}` };
    for (const [name, text] of [
      ['uname', '[ $1 = -s ] && echo Linux || echo x86_64'],
      ['ldd', 'echo GLIBC'],
    ] as const) {
      writeFileSync(join(home, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    await execa('sh', ['-c', line.replaceAll('URL', url)], { cwd: home, env, extendEnv: false });
    const { stdout } = await execa(join(home, '.local', 'bin', 'mailer'), ['--version']);
    expect(stdout).toBe('1.2.3');
  },
);
