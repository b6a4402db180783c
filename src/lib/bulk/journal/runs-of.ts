import { join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { runsDirectory, sandboxDirectory } from '../../files/directories.ts';
import { openRunStore, type RunStore } from './run-store.ts';

/** Where the runs of this account are: those of the embedded service go with its data. */
export function runsOf({ flags, system }: Pick<Context, 'flags' | 'system'>): RunStore {
  return openRunStore(
    flags.sandbox === true ? join(sandboxDirectory(system), 'runs') : runsDirectory(system),
  );
}
