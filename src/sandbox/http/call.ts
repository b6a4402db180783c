import type { Operation } from '../../api/operation.ts';
import type { OperationId, Reply } from '../../api/operations.ts';
import type { ApiAccount } from '../model/api-account.ts';
import type { Store } from '../store/store.ts';
import type { LiveInput } from './live-inputs.ts';

/** One authenticated request. */
export interface Call<CallInput = unknown> {
  readonly store: Store;
  /** When the request arrived: milliseconds since 1970. */
  readonly now: number;
  readonly account: ApiAccount;
  readonly idempotencyKey: string | undefined;
  /** See `SandboxOptions.processing`. */
  readonly processing: (() => Promise<void>) | undefined;
  /** If set, every n-th email of a batch is not created. */
  readonly leaveOutEvery: number | undefined;
  readonly input: CallInput;
}

/** Processes operation `Id`: returns the reply of a 200, or throws one of `errors.ts`. */
type Handler<Id extends OperationId> = (
  call: Call<LiveInput<Id>>,
) => Reply<Id> | Promise<Reply<Id>>;

/** A handler for each operation of this resource. */
export type Handlers<Resource extends string = string> = {
  readonly [Id in Extract<OperationId, `${Resource}.${string}`>]: Handler<Id>;
};

/** An operation and its handler, which gets input that was parsed with the operation's schema. */
export interface Route {
  readonly operation: Operation;
  handle(call: Call): unknown;
}
