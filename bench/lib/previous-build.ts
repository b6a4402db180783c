import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from './directories.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the program as it was before: as last committed or, if what is built from has not changed since, as in the
 * commit before that. Returns its `bin/mailer.js`, and the commit in short. Throws without git and its history.
 */
export function previousBuild(): { readonly file: string; readonly commit: string } {
  const changed = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', 'bin', 'src'], { cwd: root });
  const git = (words: readonly string[]) =>
    execFileSync('git', words, { cwd: root, maxBuffer: 1e9 });
  const name = changed.status === 0 ? 'HEAD~1' : 'HEAD';
  const commit = git(['rev-parse', '--short', name]).toString().trim();
  const directory = temporaryDirectory();
  execFileSync('tar', ['-x', '-C', directory], { input: git(['archive', commit]) });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build/build.js'], { cwd: directory, stdio: 'ignore' });
  return { file: join(directory, 'bin', 'mailer.js'), commit };
}
