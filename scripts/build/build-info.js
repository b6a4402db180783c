// What the program knows of its own build (`mailer version`): the commit, its date, and the packages in the bundle.
import { spawnSync } from 'node:child_process';
import { root } from '../checkout.js';
import { packagesOf } from './licences.js';

/** What ends up in the bundle. */
const sources = ['bin', 'src', 'scripts/build', 'package-lock.json'];

/**
 * The same for every build of one commit. `commit` is null if there is none, or if the sources differ from it; `built`
 * is SOURCE_DATE_EPOCH or the date of the commit, in ISO 8601, or null.
 */
export function buildInfo(modules, directory = root) {
  const git = gitIn(directory);
  const commit = commitOfSources(git);
  const names = packagesOf(modules).map(({ name, version }) => `${name} ${version}`);
  const packages = [...new Set(names)].sort().map((one) => {
    const [name, version] = one.split(' ');
    return { name, version };
  });
  return { commit, built: dateOf(git, commit), packages };
}

function commitOfSources(git) {
  // A copy of the sources inside another repository has not that one's commit.
  if (git('rev-parse', '--show-cdup') !== '') return null;
  const commit = git('rev-parse', 'HEAD');
  if (!/^[\da-f]{40,64}$/.test(commit ?? '')) return null;
  return git('status', '--porcelain', '--', ...sources) === '' ? commit : null;
}

function dateOf(git, commit) {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given && !/^\d{1,11}$/.test(given)) {
    throw new Error('SOURCE_DATE_EPOCH is not a number of seconds since 1970');
  }
  const seconds = given || (commit && git('log', '-1', '--format=%ct', commit));
  return seconds ? `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}Z` : null;
}

/** A function that returns what git prints; undefined if it is not installed, fails, or if there is no repository. */
function gitIn(cwd) {
  return (...words) => {
    const { status, stdout } = spawnSync('git', words, { cwd, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
}
