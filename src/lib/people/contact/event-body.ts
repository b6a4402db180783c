import { UsageError } from '../../base/errors.ts';
import { keyValuesOrFile } from '../../base/input/key-values.ts';
import { askForValues } from '../../command-line/command/ask/ask-for-values.ts';
import type { Context } from '../../command-line/command/context.ts';
import { bookNeed, contactNeed } from '../../command-line/command/names/books.ts';
import { contactGiven } from '../../command-line/command/names/last-made.ts';
import type { EventFlags } from './event-flags.ts';

/** An event to send, from flags and answers to questions. */
export type EventRequest = Awaited<ReturnType<typeof readEvent>>;

/** Reads the event to send. Throws a `UsageError` for wrong flags and missing input. */
export async function readEvent(context: Context, name: string, flags: EventFlags) {
  const { isMailbox, mailboxParts } = await import('../../../api/address.ts');
  const payload = await keyValuesOrFile(context.files, {
    flag: '--payload',
    words: flags.payload,
    fileFlag: '--payload-file',
    path: flags.payloadFile,
  });
  const known = await contactGiven(context, flags.contact ?? '', flags.book);
  if (flags.create && known.contact !== '' && !isMailbox(known.contact)) {
    throw new UsageError(`--create: ${JSON.stringify(known.contact)} is not an email address`, {
      hint: 'To add a contact, --contact has its address.',
    });
  }
  // A contact that is chosen from a book is identified by its address.
  const isChosen = !known.contact && context.prompts.possible;
  const needsBook = isChosen || isMailbox(known.contact);
  const [book = known.book] = await askForValues(
    needsBook ? [bookNeed(context, known.book)] : [],
    context.prompts,
  );
  const [given = ''] = await askForValues(
    [contactNeed(context, known.contact, book)],
    context.prompts,
  );
  return {
    /** Id or address of the contact; one with an address has a book. */
    contact: mailboxParts(given)?.address ?? given,
    /** Id or name of its book. */
    book: book || undefined,
    /** Whether a contact that the book does not have is added. */
    create: flags.create === true,
    event: { name, ...(payload && { payload }) },
  };
}
