import type { ApiAccount } from '../model/account.ts';
import type { Connection } from './connection-lost.ts';
import type { RateLimitState } from './rate-limit.ts';

/** What the parts of the service share about a request. */
export interface Environment {
  Bindings: {
    connection: Connection;
  };
  Variables: {
    /** When the request came, by the sandbox's clock: milliseconds since 1970. */
    now: number;
    /** The value of `X-Request-Id`. */
    requestId: string;
    account: ApiAccount;
    /** Whether a fault blocks the account for this request. */
    blocked?: boolean;
    /** The delay that faults put on this request; it comes once, however often it is asked for. */
    delay?: () => Promise<void>;
    /** See `Call.leaveOutEvery`. */
    leaveOutEvery?: number;
    rateLimit?: RateLimitState;
  };
}
