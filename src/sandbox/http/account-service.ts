import type { Advanced } from '../model/advance.ts';
import type { AccountName } from '../model/api-account.ts';
import type { Store } from '../store/store.ts';
import type { Faults } from './faults/faults.ts';
import type { LanguageSetting } from './language.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Exchange } from './request-log.ts';

/** What the service of an account consists of. */
export interface AccountService {
  readonly store: Store;
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
  /** Which account this is. */
  readonly account: AccountName;
  /** The names of all test accounts. */
  readonly accounts: () => readonly string[];
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
  readonly speech: LanguageSetting;
  /** Advances the clock by milliseconds; links in mail start with `origin`. */
  readonly advance: (by: number, origin: string) => Promise<Advanced>;
  /** Restores the initial data, faults, rate limit and language. */
  readonly reset: () => void;
  /** Does so, and removes the endpoints of webhooks that were added since. */
  readonly startOver: () => void;
  /** See `SandboxOptions.processing`. */
  readonly processing: (() => Promise<void>) | undefined;
  /** See `SandboxOptions.linkOrigin`. */
  readonly linkOrigin: string | undefined;
  readonly log: (line: string) => void;
  /** Records a request and its response for people to inspect; never rejects. */
  readonly record: (exchange: Exchange) => Promise<void>;
}
