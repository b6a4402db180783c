// The commit that a release is made of.
import { readFileSync } from 'node:fs';
import { root } from '../checkout.js';
import { run } from '../run.js';

/** Throws if there is something in the checkout that its commit does not have. */
export function assertClean() {
  const changed = run('git', ['status', '--porcelain']).trimEnd();
  if (changed !== '') throw new Error(`The checkout is not clean; commit or remove:\n${changed}`);
}

/**
 * Its name (40 digits) and version, and what dates everything made of it, in seconds: SOURCE_DATE_EPOCH, else the time of
 * the commit.
 */
export function readSource() {
  const [commit, time] = run('git', ['log', '-1', '--format=%H %ct']).trim().split(' ');
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return { commit, version, epoch: Number(process.env.SOURCE_DATE_EPOCH ?? time) };
}
