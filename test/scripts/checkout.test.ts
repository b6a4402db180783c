import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root, temporaryDirectory } from '../support/process.ts';

const locked = { version: '1.0.0', integrity: 'sha512-a' };

/** Whether a checkout with these records of npm counts as installed. */
async function isInstalled(
  wanted: Readonly<Record<string, object>>,
  there: Readonly<Record<string, object>> | undefined,
): Promise<boolean> {
  const directory = temporaryDirectory();
  for (const name of ['scripts', 'node_modules']) mkdirSync(join(directory, name));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  const record = there === undefined ? '' : JSON.stringify({ packages: there });
  writeFileSync(join(directory, 'node_modules', '.package-lock.json'), record);
  const script = join(directory, 'scripts', 'checkout.js');
  copyFileSync(join(root, 'scripts', 'checkout.js'), script);
  const { isInstalled } = (await import(pathToFileURL(script).href)) as {
    readonly isInstalled: () => boolean;
  };
  return isInstalled();
}

test.each([
  ['all packages', true, { 'node_modules/a': locked }],
  ['another version', false, { 'node_modules/a': { ...locked, version: '1.0.1' } }],
  ['other content', false, { 'node_modules/a': { ...locked, integrity: 'sha512-b' } }],
  ['a missing package', false, {}],
  ['an incomplete record', false, undefined],
])('a checkout with %s: installed is %s', async (_, expected, there) => {
  expect(await isInstalled({ '': {}, 'node_modules/a': locked }, there)).toBe(expected);
});

test('missing packages of other systems are not installed again', async () => {
  const wanted = { 'node_modules/a': locked, 'node_modules/b': { optional: true } };
  expect(await isInstalled(wanted, { 'node_modules/a': locked })).toBe(true);
});

test('tests that the matrix leaves out with --quick exist', () => {
  const text = readFileSync(join(root, 'scripts', 'ci', 'matrix.js'), 'utf8');
  const [, list = ''] = /const slow = \{(.*?)\n\};/s.exec(text) ?? [];
  const names = [...list.matchAll(/^ {2}'?([\w/-]+)'?: /gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    expect(readFileSync(join(root, 'test', 'process', `${name}.test.ts`), 'utf8')).not.toBe('');
  }
});
