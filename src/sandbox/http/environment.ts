import type { ApiAccount } from '../model/api-account.ts';
import type { Connection } from './connection-lost.ts';
import type { RateLimitState } from './rate-limit.ts';

/** Data about a request that parts of the service share. */
export interface Environment {
  Bindings: {
    connection: Connection;
  };
  Variables: {
    /** When the request arrived, by the sandbox's clock: milliseconds since 1970. */
    now: number;
    /** The value of `X-Request-Id`. */
    requestId: string;
    account: ApiAccount;
    /** Whether a fault blocks the account for this request. */
    blocked?: boolean;
    /** Waits for the delay of faults; further calls do not wait again. */
    delay?: () => Promise<void>;
    /** See `Call.leaveOutEvery`. */
    leaveOutEvery?: number;
    rateLimit?: RateLimitState;
  };
}
