import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Need } from '../support/needs.ts';
import { root } from '../support/process.ts';
import { read } from '../support/sources.ts';

// What npm run release has made, and clones that make it again.

// npm wrote it and checked its shape.
const { version: ofPackage } = JSON.parse(read('package.json')) as { readonly version: string };
export const version = ofPackage;

/** The path of a file of the release. */
export const released = (name: string): string => join(root, 'release', name);

/** Whether a file has been made: a release may be partial. */
export function made(name: string): Need {
  return { isMet: existsSync(released(name)), why: `release/ has no ${name}` };
}

export const deb = `mailer_${version}_amd64.deb`;
export const tarball = `mailer-cli-${version}.tgz`;
export const folder = `mailer-${version}-linux-x64`;
export const bill = `mailer-${version}.cdx.json`;

export const x64: Need = {
  isMet: process.platform === 'linux' && process.arch === 'x64',
  why: 'only on Linux x64',
};

/** The commit that the release was made of. */
export function releasedCommit(): string {
  // The release wrote it.
  const { metadata } = JSON.parse(readFileSync(released(bill), 'utf8')) as {
    readonly metadata: {
      readonly component: { readonly properties: readonly { value: string }[] };
    };
  };
  return metadata.component.properties[0]?.value ?? '';
}

/** Clones that commit into a directory, or the same with another version, and makes these files there again. */
export async function makeAgain(
  directory: string,
  names: readonly string[],
  otherVersion?: string,
): Promise<void> {
  const git = (words: readonly string[]) => execa('git', words, { cwd: directory });
  await execa('git', ['clone', '--quiet', root, directory]);
  await git(['checkout', '--quiet', releasedCommit()]);
  if (otherVersion !== undefined) {
    const file = join(directory, 'package.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(`"version": "${version}"`, `"version": "${otherVersion}"`));
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    await git([...author, 'commit', '--quiet', '--all', '--message', 'Another version']);
  }
  // As npm ci would install it, and Bun.
  cpSync(join(root, 'node_modules'), join(directory, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/[\\/]\.cache[\\/](?!bun-)/.test(path),
  });
  const only = names.flatMap((name) => ['--only', name]);
  // On a machine that is set up otherwise.
  const words = ['-c', 'umask 002 && exec npm run release -- --partial "$@"', 'sh', ...only];
  await execa('sh', words, { cwd: directory, env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' } });
}
