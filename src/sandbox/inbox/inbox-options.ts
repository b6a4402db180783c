import type { AccountName } from '../model/api-account.ts';
import type { Store } from '../store/store.ts';

/** What every page needs. */
export interface InboxOptions {
  readonly store: Store;
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
  /** The account whose pages these are. */
  readonly account: AccountName;
  /** The names of all test accounts. */
  readonly accounts: () => readonly string[];
}
