import type { ContactBook } from '../../../api/contact.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { ImportFlags } from './flags.ts';
import type { Ledger } from './ledger.ts';
import type { Parts } from './parts.ts';
import type { ImportPlan } from './plan.ts';

/** An import whose rows are compared with the book, while it sends contacts and waits for them. */
export interface Sending {
  readonly context: Context;
  readonly flags: ImportFlags;
  /** The book as it is now. */
  readonly book: ContactBook;
  readonly plan: ImportPlan;
  readonly parts: Parts;
  /** Undefined if the book sends no email: then each request may be repeated. */
  readonly ledger: Ledger | undefined;
  /** When it was compared with the book, on the monotonic clock. */
  readonly comparedAt: number;
  /** Called with a request that may have arrived: from then on contacts may change. */
  readonly begins: () => void;
}

/** The same before anything is sent. */
export type PreparedImport = Omit<Sending, 'begins'>;
