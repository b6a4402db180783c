import type { Fault } from './fault.ts';

/** How long faults delay a request together, in milliseconds. */
export function delayOf(faults: readonly Fault[]): number {
  return faults.reduce(
    (sum, { effect }) => sum + (effect.kind === 'delay' ? effect.milliseconds : 0),
    0,
  );
}
