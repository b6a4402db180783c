import type { ContactBook } from '../../../../api/contact.ts';
import { NotFoundError, withHint } from '../../../base/errors.ts';
import { looksLikeMadeId } from '../../../base/text/looks-like-id.ts';
import { choose } from '../../../command-line/command/ask/choose.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { fetchBook } from '../../../command-line/command/names/books.ts';
import { last } from '../../../command-line/command/names/last-made.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { createBook, readCreateBookRequest } from './create-book.ts';

/** Lets a person choose a contact book, or name a new one. */
export async function chooseBookOrName(context: Context): Promise<string> {
  return await choosing(context, async (name) => name);
}

/** The same, and creates the new one. */
export async function chooseBook(context: Context): Promise<string> {
  return await choosing(context, async (name) => (await bookOrNew(context, name)).id);
}

async function choosing(
  context: Context,
  ofName: (name: string) => Promise<string>,
): Promise<string> {
  const made = { value: '', line: 'New contact book …', name: 'New contact book' };
  const book = await choose(context, 'books', undefined, made);
  if (book !== made.value) return book;
  return await ofName(await context.prompts.text('Name of the new contact book'));
}

/**
 * A contact book by id, exact name or `@last`. If there is none of that name, offers to create it. Where nothing can be
 * asked, the hint of the `NotFoundError` has the command that does.
 */
export async function bookOrNew(context: Context, named: string): Promise<ContactBook> {
  try {
    return await fetchBook(context, named);
  } catch (error) {
    if (!(error instanceof NotFoundError) || named === last || looksLikeMadeId(named)) throw error;
    const { request, apiCode } = error.details;
    // Without a code, the 404 may mean that the operation is missing.
    if (request !== undefined && apiCode === undefined) throw error;
    if (!context.prompts.asks) {
      const words = ['contact', 'book', 'create', '--name', named, '--double-opt-in', 'off'];
      throw withHint(
        error,
        `To create it: ${nextCommand(context, ...words)}\nWith --double-opt-in on instead, new contacts get an email that asks for confirmation.`,
      );
    }
    const question = `There is no contact book ${JSON.stringify(named)}. Create it?`;
    await context.prompts.confirm(question, 'Nothing was created or sent');
    const book = await createBook(context, await readCreateBookRequest(context, { name: named }));
    context.notes.say(`Created contact book ${book.name}.`);
    return book;
  }
}
