import type { ContactBook } from '../../api/contact.ts';
import type { BodyReader } from '../bulk/journal/bodies.ts';
import type { OpenRun } from '../bulk/journal/run-store.ts';
import type { Context } from '../command/context.ts';

/** What sending the contacts of a run and waiting for them needs. */
export interface Sending {
  readonly context: Context;
  readonly run: OpenRun;
  readonly bodies: BodyReader;
  /** As the book is now. */
  readonly book: ContactBook;
  /** Called when a request leaves: from then on contacts may change. */
  readonly begins: () => void;
  /**
   * Whether the comparison with the book may be out of date: others may have come by now, and wait
   * for a confirmation.
   */
  readonly isStale: () => boolean;
  /** Whether a rejection is always about the contacts. */
  readonly keepGoing: boolean;
}

/** Whether contacts that are new, or sent again, get an email that asks for confirmation. */
export function asksToConfirm({ book }: Pick<Sending, 'book'>): boolean {
  return book.doubleOptInEnabled === true;
}
