import type { SendEventBody } from '../../api/event.ts';
import { askForValues } from '../command/ask/ask-for-values.ts';
import type { Context } from '../command/context.ts';
import { bookNeed, contactNeed } from '../command/names/books.ts';
import { idGiven } from '../command/names/last-made.ts';
import { keyValuesOrFile } from '../input/key-values.ts';
import type { EventFlags } from './event-flags.ts';

/** The event to send; the book is as given on the command line. Throws a `UsageError` for missing input. */
export async function readEventBody(
  context: Context,
  name: string,
  flags: EventFlags,
): Promise<SendEventBody> {
  const { isMailbox } = await import('../../api/address.ts');
  const payload = await keyValuesOrFile(context.files, {
    flag: '--payload',
    words: flags.payload,
    fileFlag: '--payload-file',
    path: flags.payloadFile,
  });
  // A contact that is chosen from a book is identified by its address.
  const isChosen = !flags.contact && context.prompts.possible;
  const needsBook = isChosen || isMailbox(flags.contact ?? '');
  const [book = flags.book] = await askForValues(
    needsBook ? [bookNeed(context, flags.book)] : [],
    context.prompts,
  );
  const [given = ''] = await askForValues(
    [contactNeed(context, flags.contact, book)],
    context.prompts,
  );
  const contact = isMailbox(given)
    ? { email: given }
    : { contactId: await idGiven(context, 'contact', given) };
  return {
    name,
    ...contact,
    ...(book ? { contactBookId: book } : {}),
    ...(payload && { payload }),
  };
}
