import type { System } from '../system.ts';

/** Lets requests go out no faster than a rate, evenly. */
export function createRate(
  perSecond: number | undefined,
  { now, sleep, signal }: Pick<System, 'now' | 'sleep' | 'signal'>,
): () => Promise<void> {
  if (perSecond === undefined) return async () => {};
  const interval = 1000 / perSecond;
  let next = now();
  return async () => {
    const turn = Math.max(next, now());
    next = turn + interval;
    const pause = turn - now();
    if (pause > 0) await sleep(pause, signal);
  };
}
