import type { System } from '../../../base/system/system.ts';

/** Spaces requests evenly, at this rate at most. */
export function createRate(
  perSecond: number | undefined,
  { monotonic, sleep, signal }: Pick<System, 'monotonic' | 'sleep' | 'signal'>,
): () => Promise<void> {
  if (perSecond === undefined) return async () => {};
  const interval = 1000 / perSecond;
  let next = monotonic();
  return async () => {
    const turn = Math.max(next, monotonic());
    next = turn + interval;
    const pause = turn - monotonic();
    if (pause > 0) await sleep(pause, signal);
  };
}
