/** One request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or its bytes in UTF-8. */
  readonly body?: string | Uint8Array;
}

/** The body of a request as text. */
export function bodyText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

/** One response, read to its end. */
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
 * Sends one request, without retries or redirects. Rejects with a `TransportError`, or with the reason of
 * an abort, unless it is certain that nothing had been sent by then: that is a `TransportError`, too.
 */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireReply>;
  close(): Promise<void>;
}

/** No response came, or it broke off. */
export class TransportError extends Error {
  /** Whether it is certain that the service got no complete request. */
  readonly unsent: boolean;
  /** Whether another try would fail the same way: a bad certificate, a name that does not exist. */
  readonly permanent: boolean;
  /** A response came that this program does not read: too large, or in an unknown encoding. */
  readonly unreadable: boolean;
  /** The HTTP status with which a proxy itself rejected the request, if it did. */
  readonly proxyStatus: number | undefined;
  /** What to do about it, where that is known. */
  readonly hint: string | undefined;

  constructor(
    message: string,
    options: {
      unsent: boolean;
      permanent?: boolean;
      unreadable?: boolean;
      proxyStatus?: number;
      hint?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.unsent = options.unsent;
    this.permanent = (options.permanent ?? false) || (options.unreadable ?? false);
    this.unreadable = options.unreadable ?? false;
    this.proxyStatus = options.proxyStatus;
    this.hint = options.hint;
  }
}

/**
 * Bytes of a response that are read at most, before and after decoding: a page of 50 emails of 300 KB
 * each fits. Until it is shown, it is in memory several times: 300 MB in all at the worst.
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
