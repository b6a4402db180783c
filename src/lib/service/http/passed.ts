import type { OperationId } from '../../../api/operations.ts';

declare const passed: unique symbol;

/** Proof that a message has passed the gate. Only the gate makes it: see `src/lib/mail/message/gate.ts`. */
export interface Passed {
  readonly [passed]: true;
}

/** For the gate alone; a test looks for other callers. */
export function markPassed(): Passed {
  // The property exists in types only.
  return {} as Passed;
}

/** The operations that mail a message, or store one at the service. The client takes their input only with a proof. */
export const messageOperations = [
  ...(['email.send', 'campaign.create', 'campaign.schedule', 'campaign.resume'] as const),
  ...(['template.create', 'contactBook.create', 'contactBook.update'] as const),
] as const;

export type MessageOperation = (typeof messageOperations)[number];

/** The others. */
export type PlainOperation = Exclude<OperationId, MessageOperation>;
