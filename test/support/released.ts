import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Incompatible, unexplained } from '../../scripts/release/incompatible.ts';
import { version } from '../../src/lib/version.ts';
import { root } from './process.ts';
import { read } from './sources.ts';

/** A version, and its value. */
interface Released<Value> {
  readonly version: string;
  readonly value: Value;
}

/**
 * The value of the last released version, from a file in `test/released`. `vitest --mode release` writes the
 * current value there instead.
 */
export function released<Value>(file: string, current: Value): Released<Value> {
  const path = join('test', 'released', file);
  // Vitest sets MODE.
  if (process.env.MODE === 'release') {
    const text = JSON.stringify({ version, value: current }, null, 1);
    writeFileSync(join(root, path), `${text}\n`);
  }
  // Written with this type.
  return JSON.parse(read(path)) as Released<Value>;
}

/** The changes since a version that neither the new version number nor its changelog announces. */
export function unannounced(changes: readonly Incompatible[], since: string): readonly string[] {
  return unexplained(changes, since, version, read('CHANGELOG.md'));
}
