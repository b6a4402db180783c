import type { Context } from '../lib/context.ts';
import { sandboxDirectory } from '../lib/directories.ts';
import { clockFlag } from '../lib/sandbox-clock.ts';
import type { DataOptions } from '../sandbox/data.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/open.ts';
import { openLocalService, readSeeds, resetLocalService, seedLocalService } from './data.ts';

/** Milliseconds to wait for other processes that write: all requests wait meanwhile. */
const patience = 5000;

interface DataFlags {
  readonly clock?: string | undefined;
  readonly reset?: boolean | undefined;
  readonly empty?: boolean | undefined;
  readonly seed?: string | undefined;
}

/** What the sandbox is to begin with, checked; nothing is changed yet. */
export async function readStartData(context: Context, flags: DataFlags): Promise<DataOptions> {
  const { empty = false, seed } = flags;
  const seeds = seed === undefined ? undefined : await readSeeds(seed, context.files, '--seed');
  return {
    directory: sandboxDirectory(context.system),
    now: context.system.now,
    ahead: await clockFlag(flags.clock, context),
    patience,
    fresh: { empty, seeds },
  };
}

/** Has the data begin as the flags say, and opens it. */
export function openStartData(options: SandboxOptions, flags: DataFlags): Sandbox {
  const { seeds } = options.fresh ?? {};
  if (flags.reset === true || flags.empty === true) resetLocalService(options);
  else if (seeds !== undefined) seedLocalService(options, seeds);
  return openLocalService(options);
}
