import type { WireRequest } from '../../../base/system/wire.ts';

/** An HTTP client for one origin, which reuses its connections. */
export interface OriginClient {
  /** Rejects with a `SendError`, or with any error once `signal` is aborted. */
  send(request: WireRequest, signal: AbortSignal): Promise<UnreadReply>;
  close(): Promise<void>;
}

/** A response whose body has not been read yet. */
export interface UnreadReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A failed request; `begun` says whether any of it may have been sent. */
export class SendError extends Error {
  readonly begun: boolean;

  constructor(cause: unknown, begun: boolean) {
    super('The request failed.', { cause });
    this.begun = begun;
  }
}
