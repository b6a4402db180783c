import { join } from 'node:path';
import { type BodyReader, openBodies } from './bodies.ts';
import { type OpenRun, runFiles } from './run-store.ts';

/** Opens the bodies of a run. Throws a `JournalError` when some are lost. */
export function openRunBodies({ directory, journal }: OpenRun): BodyReader {
  return openBodies(join(directory, runFiles.bodies), journal.bodiesLength());
}
