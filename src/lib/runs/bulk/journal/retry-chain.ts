import { UsageError } from '../../../base/errors.ts';
import type { RunHeader } from './run-header.ts';
import type { RetryLink } from './run-name.ts';
import type { ReadRun, RunStore } from './run-store.ts';

/**
 * The run that began the chain of a run, unless it was deleted, and all retries, in order. Throws a `UsageError` if
 * there is a run that may be one of them and cannot be read.
 */
export function chainOf(store: RunStore, name: string, header: RunHeader): readonly ReadRun[] {
  const first = header.retry?.first ?? name;
  const chain = store.names().flatMap((one): ReadRun[] => {
    const label = store.label(one);
    if (label !== undefined && label.retryOf !== first && one !== first) return [];
    const read = store.read(one);
    if (read === undefined) {
      throw new UsageError(
        `Run ${one} may have retried rows of this run, but its journal cannot be read.`,
        {
          hint: `Nothing was sent. If it retried none, move its directory away: ${store.path(one)}`,
        },
      );
    }
    return one === first || read.header.retry?.first === first ? [read] : [];
  });
  return chain.toSorted((one, other) => numberOf(one) - numberOf(other));
}

function numberOf({ header }: ReadRun): number {
  return header.retry?.number ?? 0;
}

/** The link of the next retry. */
export function nextRetry(chain: readonly ReadRun[], of: string, header: RunHeader): RetryLink {
  const last = chain.at(-1);
  return { of, first: header.retry?.first ?? of, number: (last ? numberOf(last) : 0) + 1 };
}
