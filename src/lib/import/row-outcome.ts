import type { PolicyRefusal } from '../errors.ts';

/**
 * How a row differs from the book. `unsubscribed` contacts stay so, whether other fields change or not. `skipped`
 * are not in the book, and their row has no consent although a column asks for it: they are left out.
 */
export type ComparedOutcome = 'new' | 'changed' | 'unchanged' | 'unsubscribed' | 'skipped';

/** A row that is not sent. */
export interface LeftOutRow {
  readonly row: number;
  readonly email: string;
  /** `unchanged` and `unsubscribed` are contacts that the book has as the row says, or all but the subscription. */
  readonly outcome: 'invalid' | 'policy' | 'duplicate' | 'unchanged' | 'unsubscribed' | 'skipped';
  /** Why; for a contact that needs no change, its id. */
  readonly note: string;
  readonly refusal?: Pick<PolicyRefusal, 'rule' | 'place'> | undefined;
}
