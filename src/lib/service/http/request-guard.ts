import type { OperationEffect } from '../../../api/operation.ts';
import type { Input, Reply } from '../../../api/operations.ts';
import type { PolicyRefusal } from '../../base/errors.ts';
import type { AnyRequest } from './build-request.ts';
import type { Exchanged } from './outcome.ts';
import type { PlainOperation } from './passed.ts';
import type { PolicyVerdict } from './plan-shape.ts';

/** What several requests are parts of: limits count it once, before the first of them leaves. */
export interface CountedBatch {
  /** The same when it is sent again. */
  readonly key: string;
  /** Of all its requests. */
  readonly recipients: number;
}

/** A request that writes, before anything of it leaves. */
export interface OutgoingRequest {
  readonly request: AnyRequest;
  /** What it does; never `reads`. */
  readonly effect: OperationEffect;
  readonly idempotencyKey: string | undefined;
  readonly whole?: CountedBatch | undefined;
  /** Whether a person has approved exactly this: see `outbox send`. */
  readonly isApproved: boolean;
  /** See `SendOptions`. */
  readonly digest?: string | undefined;
  readonly contacts?: number | null | undefined;
  /** Whether it is only shown: nothing can be looked up then, as there may be no key. */
  readonly showOnly: boolean;
  /** Looks something up at the service. */
  readonly call: <Id extends PlainOperation>(id: Id, input: Input<Id>) => Promise<Reply<Id>>;
}

/** What a policy makes of a request. */
export interface ApprovedRequest {
  /** What is to leave. */
  readonly request: AnyRequest;
  readonly idempotencyKey: string | undefined;
  /** Whether it can make the service mail somebody. */
  readonly mails: boolean;
  /** Set if it is to be stored for approval in place of leaving. */
  readonly hold?: Hold | undefined;
  /** Undefined where there are no rules. */
  readonly verdict: PolicyVerdict | undefined;
  /**
   * Counts its recipients; to be called once, right before it leaves, and what it returns with its outcome.
   * Throws where that exceeds a limit by now.
   */
  readonly reserve: () => (outcome: Exchanged<unknown>['outcome']) => void;
}

/** Why a request waits for approval. */
export interface Hold {
  /** The rule that asks for it, and what that says; undefined if the command line does. */
  readonly refusal: (PolicyRefusal & { readonly message: string }) | undefined;
}

/** Checks each request that writes before it leaves. Throws a `PolicyError`, or what a look-up throws. */
export type Guard = (departure: OutgoingRequest) => Promise<ApprovedRequest>;
