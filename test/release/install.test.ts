import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needing } from '../support/needs.ts';
import { temporaryDirectory } from '../support/process.ts';
import { serveFiles } from '../support/release-files.ts';
import { folder, made, released, version, x64 } from './released.ts';

test(
  'install.sh of the release installs the archive beside it, and its line to undo that leaves nothing',
  needing(x64, made('install.sh'), made(`${folder}.tar.gz`)),
  async () => {
    const home = temporaryDirectory();
    const { url } = await serveFiles(released(''));
    const env = { HOME: home, PATH: process.env.PATH, MAILER_DOWNLOAD: url };
    const run = (file: string, ...words: readonly string[]) =>
      execa(file, words, { env, extendEnv: false, cwd: home });
    const { stdout } = await run('sh', released('install.sh'));
    const prefix = join(home, '.local');
    const mailer = join(prefix, 'bin', 'mailer');
    expect((await run(mailer, '--version')).stdout).toBe(version);
    const words = '--sandbox --from hello@example.com --to a@example.org --subject S --text T';
    const sent = await run(mailer, 'email', 'send', ...words.split(' '), '--wait', '--json');
    expect(sent.stdout).toContain('"DELIVERED"');
    expect(existsSync(join(prefix, 'share', 'man', 'man1', 'mailer-email-send.1'))).toBe(true);
    await run('sh', '-c', stdout.trim().split('\n').at(-1) ?? '');
    const left = await run('find', prefix, '-not', '-type', 'd');
    // The sandbox's data is the user's.
    const ofOthers = (path: string) => path !== '' && !path.includes('/share/mailer/');
    expect(left.stdout.split('\n').filter(ofOthers)).toEqual([]);
  },
);
