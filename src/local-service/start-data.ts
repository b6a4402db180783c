import type { Context } from '../lib/command/context.ts';
import type { DataOptions } from '../sandbox/seeds/data.ts';
import { readSeeds, resetLocalService, seedLocalService } from './data.ts';
import { clockFlag } from './sandbox-clock.ts';

/** Milliseconds to wait for other processes that write: all requests wait meanwhile. */
const patience = 5000;

interface DataFlags {
  readonly clock?: string | undefined;
  readonly reset?: boolean | undefined;
  readonly empty?: boolean | undefined;
  readonly seed?: string | undefined;
}

/** What the sandbox is to begin with. Nothing is deleted before the file has been checked. */
export async function prepareData(
  context: Context,
  directory: string,
  flags: DataFlags,
): Promise<DataOptions> {
  const { empty = false, seed } = flags;
  const seeds = seed === undefined ? undefined : await readSeeds(seed, context.files, '--seed');
  const data = {
    directory,
    now: context.system.now,
    ahead: await clockFlag(flags.clock, context),
    patience,
    fresh: { empty, seeds },
  };
  if (flags.reset === true || empty) resetLocalService(data);
  else if (seeds !== undefined) seedLocalService(data, seeds);
  return data;
}
