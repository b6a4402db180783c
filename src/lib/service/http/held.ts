import type { AnyRequest } from './build-request.ts';
import type { Hold } from './request-guard.ts';

/** A request that waits for approval. */
export interface HeldRequest extends Hold {
  readonly request: AnyRequest;
  /** The key that was given for it; undefined for a new one. */
  readonly idempotencyKey: string | undefined;
  readonly digest: string;
}

/** Ends a command in place of a request that is to be stored for approval, as a `DryRun` does. */
export class Held extends Error {
  readonly held: HeldRequest;

  constructor(held: HeldRequest) {
    super('held for approval');
    this.held = held;
  }
}
