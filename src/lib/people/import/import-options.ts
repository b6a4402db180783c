import type { ContactBook } from '../../../api/contact.ts';
import type { PlannedCall } from '../../command-line/command/plan-of.ts';
import type { ComparedRow } from './compare.ts';
import type { ImportFlags } from './flags.ts';
import type { ImportPlan } from './plan.ts';

/** An import as requested by a command. */
export interface ImportOptions {
  readonly path: string;
  /** The book's id or name. */
  readonly book: string;
  readonly flags: ImportFlags;
  /** Finds the book in another way than by its id or name alone. */
  find?(): Promise<ContactBook>;
  /** Called if the file has no contacts. Throws a `UsageError` with the message if that is an error. */
  whenEmpty(message: string): void;
  /** Called for each row that counts, in the order of the file, once it is compared with the book. */
  compared?(row: ComparedRow): void;
  /**
   * Called once all rows are compared, before anything is sent, with the requests. Asks; throws a `UsageError` if the answer
   * is no. Ends a dry run by showing what would be.
   */
  approve(plan: ImportPlan, calls: Iterable<PlannedCall>): Promise<void>;
}
