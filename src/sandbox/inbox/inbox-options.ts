import type { Store } from '../store/store.ts';

/** What every page needs. */
export interface InboxOptions {
  readonly store: Store;
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
}
