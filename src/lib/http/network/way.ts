import type { WireRequest } from '../../system/wire.ts';

/** One way to one origin, with connections that are kept for the next request. */
export interface Way {
  /** Rejects with an error of Node or undici, or with any once `signal` is aborted. */
  send(request: WireRequest, signal: AbortSignal): Promise<UnreadReply>;
  close(): Promise<void>;
}

/** A response whose body has not been read yet. */
export interface UnreadReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}
