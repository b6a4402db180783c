import { resetFollower } from '../seeds/data.ts';
import type { Store } from '../store/store.ts';

/** A request in the log, without headers and bodies. */
export interface LoggedRequest {
  /** When it arrived: milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** With its query; keys are hidden. */
  readonly path: string;
  /** `noAnswer` if the connection was closed without a response. */
  readonly status: number;
  /** How long the response took. */
  readonly milliseconds: number;
  /** Why it was rejected, or its fault; null if neither. */
  readonly reason: string | null;
}

/**
 * Returns a function that returns the recorded requests that are new since its last call, oldest
 * first, of all processes that use the data.
 */
export function requestFollower(store: Store): () => LoggedRequest[] {
  let last = 0;
  const followReset = resetFollower(store, () => {
    last = 0;
  });
  return () => {
    followReset();
    const rows = store.all<LoggedRequest & { seq: number }>(
      `SELECT seq, at, method, path, status, milliseconds, reason FROM requests WHERE seq > ?
       ORDER BY seq`,
      last,
    );
    last = rows.at(-1)?.seq ?? last;
    return rows.map(({ seq: _, ...request }) => request);
  };
}
