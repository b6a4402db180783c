import { UsageError } from '../../errors.ts';
import type { Counts } from './journal.ts';
import type { RunStore } from './run-store.ts';

/** Whether nothing of a run is or may be with the service. */
export function isUnsent({ accepted, begun, unknown }: Counts): boolean {
  return accepted + begun + unknown === 0;
}

/**
 * Removes a run of which nothing went out and in whose place another is begun: its own command line
 * would go on with it one day, as if the other had not been. Throws a `UsageError` when a process has
 * it, or has sent something of it meanwhile.
 */
export function removeUnsent(store: RunStore, name: string): void {
  const taken = store.take(name);
  const counts = store.look(name, (journal) => journal.counts());
  if (counts !== undefined && isUnsent(counts)) {
    taken.remove();
    return;
  }
  taken.release();
  // Another process has removed it in the same way.
  if (!store.has(name)) return;
  throw new UsageError('Another process has just sent some of this file. Nothing was sent here.');
}
