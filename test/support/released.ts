import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Incompatible, unexplained } from '../../scripts/release/incompatible.ts';
import { version } from '../../src/lib/version.ts';
import { root } from './process.ts';
import { read } from './sources.ts';

/** What a version had, beside that version. */
interface Released<Value> {
  readonly version: string;
  readonly value: Value;
}

/**
 * What the last released version had, from a file in `test/released`. `vitest --mode release` writes the
 * current one there instead.
 */
export function released<Value>(file: string, current: Value): Released<Value> {
  const path = join('test', 'released', file);
  // Vitest keeps the mode there.
  if (process.env.MODE === 'release') {
    const text = JSON.stringify({ version, value: current }, null, 1);
    writeFileSync(join(root, path), `${text}\n`);
  }
  // The type is that of what was written.
  return JSON.parse(read(path)) as Released<Value>;
}

/** The changes since a version that neither this version nor its part of the changelog admits. */
export function unannounced(changes: readonly Incompatible[], since: string): readonly string[] {
  return unexplained(changes, since, version, read('CHANGELOG.md'));
}
