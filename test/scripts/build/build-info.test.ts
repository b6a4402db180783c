import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { installed, needing } from '../../support/needs.ts';
import { root, temporaryDirectory } from '../../support/process.ts';

/** What the build would write of itself in a directory. */
async function buildInfo(directory: string, epoch = '') {
  const before = process.env.SOURCE_DATE_EPOCH;
  onTestFinished(() => {
    process.env.SOURCE_DATE_EPOCH = before ?? '';
  });
  process.env.SOURCE_DATE_EPOCH = epoch;
  const script = pathToFileURL(join(root, 'scripts', 'build', 'build-info.js')).href;
  const { buildInfo } = (await import(script)) as {
    readonly buildInfo: (modules: readonly string[], directory: string) => object;
  };
  return buildInfo([], directory);
}

test('a commit counts only while the sources are as in it', needing(installed('git')), async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'src'));
  const source = join(directory, 'src', 'a.ts');
  writeFileSync(source, 'a');
  const date = '2026-01-02T03:04:05Z';
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...words: readonly string[]) => execa('git', words, { cwd: directory, env });
  expect(await buildInfo(directory)).toEqual({ commit: null, built: null, packages: [] });
  await git('init', '--quiet');
  await git('add', '.');
  const as = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org'];
  await git(...as, 'commit', '--quiet', '--message', 'One');
  const { stdout: commit } = await git('rev-parse', 'HEAD');
  expect(await buildInfo(directory)).toEqual({ commit, built: date, packages: [] });
  // What is not in the bundle may differ.
  writeFileSync(join(directory, 'notes'), 'b');
  expect(await buildInfo(directory, '1')).toMatchObject({ commit, built: '1970-01-01T00:00:01Z' });
  // A copy inside another repository has not its commit.
  expect(await buildInfo(join(directory, 'src'))).toMatchObject({ commit: null });
  writeFileSync(source, 'c');
  expect(await buildInfo(directory)).toMatchObject({ commit: null, built: null });
  await expect(buildInfo(directory, 'today')).rejects.toThrow('SOURCE_DATE_EPOCH is not a number');
});
