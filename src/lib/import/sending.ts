import type { ContactBook } from '../../api/contact.ts';
import type { BodyReader } from '../bulk/journal/bodies.ts';
import type { OpenRun } from '../bulk/journal/run-store.ts';
import type { Context } from '../command/context.ts';

/** What is needed to send the contacts of a run and wait for them. */
export interface Sending {
  readonly context: Context;
  readonly run: OpenRun;
  readonly bodies: BodyReader;
  /** The book as it is now. */
  readonly book: ContactBook;
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
