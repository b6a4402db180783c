import type { WireRequest } from '../../system/wire.ts';

/** One way to one origin, with connections that are kept for the next request. */
export interface Way {
  /** Rejects with a `WayError`, or with any error once `signal` is aborted. */
  send(request: WireRequest, signal: AbortSignal): Promise<UnreadReply>;
  close(): Promise<void>;
}

/** A response whose body has not been read yet. */
export interface UnreadReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A failure of which it is known whether anything of the request had left. */
export class WayError extends Error {
  readonly begun: boolean;

  constructor(cause: unknown, begun: boolean) {
    super('The request failed.', { cause });
    this.begun = begun;
  }
}
