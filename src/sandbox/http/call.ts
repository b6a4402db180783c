import type * as z from 'zod';
import type { Operation } from '../../api/operation.ts';
import type { OperationId, Reply } from '../../api/operations.ts';
import type { ApiAccount } from '../model/account.ts';
import type { Store } from '../store/store.ts';
import type { LiveInput } from './live-inputs.ts';

/** One authenticated request, as a handler gets it. */
export interface Call<CallInput = unknown> {
  readonly store: Store;
  /** When the request came: milliseconds since 1970. */
  readonly now: number;
  readonly account: ApiAccount;
  readonly idempotencyKey: string | undefined;
  /** See `SandboxOptions.processing`. */
  readonly processing: (() => Promise<void>) | undefined;
  /** Every n-th email of a batch is not created; undefined creates all. */
  readonly leaveOutEvery: number | undefined;
  readonly input: CallInput;
}

/** Processes operation `Id`: returns the reply of a 200, or throws one of `errors.ts`. */
type Handler<Id extends OperationId> = (
  call: Call<LiveInput<Id>>,
) => Reply<Id> | Promise<Reply<Id>>;

/** A handler for each of these operations. */
export type Handlers<Ids extends OperationId = OperationId> = {
  readonly [Id in Ids]: Handler<Id>;
};

/** An operation and what carries it out. */
export interface Route {
  readonly operation: Operation;
  handle(call: Call): unknown;
}

/** Joins an operation with its handler. */
export function route<Input extends z.ZodObject, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
  handler: (call: Call<z.infer<Input>>) => z.infer<Reply> | Promise<z.infer<Reply>>,
): Route {
  return {
    operation,
    // The app parses the input of every call with the schema of the route's own operation.
    handle: (call) => handler(call as Call<z.infer<Input>>),
  };
}
