import type { ContactBook } from '../../../api/contact.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { ImportFlags } from './flags.ts';
import type { Ledger } from './ledger.ts';
import type { Parts } from './parts.ts';
import type { ImportPlan } from './plan.ts';

/** An import whose rows are compared with the book. */
export interface PreparedImport {
  readonly flags: ImportFlags;
  readonly book: ContactBook;
  readonly plan: ImportPlan;
  readonly parts: Parts;
  readonly ledger: Ledger | undefined;
  /** When it was compared with the book, on the monotonic clock. */
  readonly comparedAt: number;
}

/** What is needed to send contacts and wait for them. */
export interface Sending {
  readonly context: Context;
  readonly parts: Parts;
  /** The book as it is now. */
  readonly book: ContactBook;
  /** Undefined if the book sends no email: then each request may be repeated. */
  readonly ledger: Ledger | undefined;
  /** Called with a request that may have arrived: from then on contacts may change. */
  readonly begins: () => void;
  /**
   * Whether the comparison with the book may be out of date: the book may have new contacts by now, which
   * are pending.
   */
  readonly isStale: () => boolean;
  /** Whether a rejection is always about the contacts. */
  readonly keepGoing: boolean;
}
