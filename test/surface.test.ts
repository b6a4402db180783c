import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { gone, surface } from '../scripts/release/surface.ts';
import { root } from './support/process.ts';
import { read } from './support/sources.ts';

const file = join('test', 'surface.txt');
const current = await surface();

test('what scripts rely on is written down, so that a review sees each change', async () => {
  await expect(`${current.join('\n')}\n`).toMatchFileSnapshot(join(root, file));
});

test('what the last release had is there, or the changelog names the command that lost it', async () => {
  const git = (...words: string[]) => execa('git', words, { cwd: root, reject: false });
  const { stdout: tag } = await git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  // Before the first release, nobody relies on anything.
  if (!tag) return;
  const { stdout } = await git('show', `${tag}:${file}`);
  expect(gone(stdout.split('\n'), current, read('CHANGELOG.md'))).toEqual([]);
});

test.each<[what: string, before: string[], changelog: string, lines: string[]]>([
  ['nothing', ['a --x', 'a --y'], '', []],
  ['a flag', ['a --x', 'a --z <>'], '', ['a --z <>']],
  ['a flag that the changelog names', ['a --z <>'], '## 2.0.0\n\n- `a` has no `--z`.\n', []],
  [
    'a flag that an earlier version lost',
    ['a --z'],
    '## 2\n\n- x\n\n## 1\n\n- `a --z`\n',
    ['a --z'],
  ],
  [
    'a field of a document that was like another one',
    ['b json: id string', 'c json: as b json', 'd jsonl: list as b json'],
    '',
    ['b json: id string', 'c json: id string', 'd jsonl: [].id string'],
  ],
])('%s is gone', (_, before, changelog, lines) => {
  expect(gone(before, ['a --x', 'a --y'], changelog)).toEqual(lines);
});
