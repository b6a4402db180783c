import type { Input, OperationId, Reply } from '../../../api/operations.ts';
import type { Problem } from '../../base/errors.ts';
import type { WireReply } from '../../base/system/wire.ts';
import type { AnyRequest } from './build-request.ts';
import type { ExchangeOptions } from './send-with-retries.ts';

/** A request with an idempotency key, before it leaves. */
export interface KeyedRequest {
  readonly request: AnyRequest;
  readonly idempotencyKey: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Looks something up at the service. */
  readonly call: <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: Pick<ExchangeOptions, 'onSend' | 'onResponse'>,
  ) => Promise<Reply<Id>>;
}

/** What a look for the emails of a request shows. */
export type Seen =
  /** The response to it: the service has them. */
  | { readonly kind: 'all'; readonly reply: WireReply }
  /** The service has none of them, and the request may be repeated. */
  | { readonly kind: 'none' }
  /** Neither is certain; if `isLasting`, another look cannot tell either. */
  | { readonly kind: 'unclear'; readonly problem: Problem; readonly isLasting: boolean };

/** What is known of a request that may have been carried out already. */
export interface Doubt {
  /** Milliseconds since an earlier command began it, if its outcome is not known. */
  readonly age: number | undefined;
  /** Whether it may only be repeated after a look: the service may no longer lock its key. */
  readonly mustLook: boolean;
  /** Records that it leaves now, unless that is recorded already. Returns why it could not. Never throws. */
  onSend(): string | undefined;
  /** Why a later command will not know of it, as the end of a sentence; undefined if it will. */
  unrecorded(): string | undefined;
  /** Looks for its emails. */
  look(): Promise<Seen>;
  /** Deletes the record, once the outcome is known. Never throws. */
  settled(): void;
}

/**
 * Finds out what earlier commands recorded of a request; undefined for one without emails. Throws a `ConflictError`
 * if its key is that of another request whose outcome is not known.
 */
export type Doubts = (request: KeyedRequest) => Doubt | undefined;
