/** One request as sent. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text or UTF-8 bytes. */
  readonly body?: string | Uint8Array;
}

/** A request's body as text. */
export function bodyText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

/** One response, completely read. */
export interface WireReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TransportOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly node: { readonly bun?: string | undefined };
}

/**
 * Sends one request, without retries or redirects. Rejects with a `TransportError`. On an abort,
 * rejects with the signal's reason, unless certainly nothing had been sent: that is a
 * `TransportError`, too.
 */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireReply>;
  close(): Promise<void>;
}

/** There was no response, or it was cut off. */
export class TransportError extends Error {
  /** Whether the service certainly got no complete request. */
  readonly unsent: boolean;
  /**
   * Whether a retry would fail the same way: an invalid certificate, a name that does not exist.
   */
  readonly permanent: boolean;
  /**
   * Whether a response came that this program cannot read: too large, or in an unknown encoding.
   */
  readonly unreadable: boolean;
  /** Whether there was no response in time. */
  readonly timedOut: boolean;
  /** The HTTP status with which a proxy itself rejected the request, if it did. */
  readonly proxyStatus: number | undefined;
  /** What to do, if known. */
  readonly hint: string | undefined;

  constructor(
    message: string,
    options: {
      unsent: boolean;
      permanent?: boolean;
      unreadable?: boolean;
      timedOut?: boolean;
      proxyStatus?: number;
      hint?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.unsent = options.unsent;
    this.permanent = (options.permanent ?? false) || (options.unreadable ?? false);
    this.unreadable = options.unreadable ?? false;
    this.timedOut = options.timedOut ?? false;
    this.proxyStatus = options.proxyStatus;
    this.hint = options.hint;
  }
}

/**
 * Most bytes of a response, before and after decoding. A page of 50 emails of 300 KB each fits.
 * Until it is shown, it is in memory several times: 300 MB in the worst case.
 */
export const maxReplyBytes = 16 * 1024 * 1024;

/** The error for a response larger than this program reads. */
export function tooLarge(cause?: unknown): TransportError {
  return new TransportError('The response is larger than 16 MiB.', {
    unsent: false,
    unreadable: true,
    cause,
  });
}
