import type { ContactBook, CreateContactBookBody } from '../../../../api/contact.ts';
import { defined } from '../../../base/json/defined.ts';
import { askForValues } from '../../../command-line/command/ask/ask-for-values.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { rememberLastCreated } from '../../../command-line/command/names/last-made.ts';
import { explainSender } from '../../../command-line/command/names/sender-domain.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { passBook } from '../../../mail/message/pass-book.ts';
import { namedBy } from '../../../service/http/named-by.ts';
import { bookFields } from './book-fields.ts';
import { type CreateBookFlags, createBookFlagOf } from './book-flags.ts';

/** The flag of a field of a contact book. */
export const bookFlagOf = namedBy(createBookFlagOf);

const choices = [
  { name: 'on', line: 'on: new contacts get an email that asks for confirmation' },
  { name: 'off', line: 'off: new contacts are subscribed at once' },
].map((one) => ({ ...one, value: one.name }));

/**
 * Builds a contact book and asks for what is missing. Double opt-in must be chosen explicitly, because it is
 * on by default, and then contacts get an email.
 */
export async function readCreateBookRequest(
  context: Context,
  flags: CreateBookFlags,
): Promise<CreateContactBookBody> {
  const { prompts } = context;
  const fields = { ...(await bookFields(context, flags)), variables: flags.variable };
  const [name = '', doubleOptIn = ''] = await askForValues(
    [
      { flag: '--name', question: 'Name', value: flags.name },
      {
        flag: '--double-opt-in',
        question: 'Double opt-in',
        value: flags.doubleOptIn,
        ask: () =>
          prompts.choose('Double opt-in', (typed) =>
            choices.filter((one) => one.name.startsWith(typed)),
          ),
      },
    ],
    prompts,
    flags.doubleOptIn
      ? undefined
      : 'With --double-opt-in on, new contacts get an email that asks for confirmation; with off, they are subscribed at once.',
  );
  // The client checks every field against the contract.
  const said = defined(fields) as Partial<CreateContactBookBody>;
  return { ...said, name, doubleOptInEnabled: doubleOptIn === 'on' };
}

/** Creates a contact book, and keeps its id for `@last`. */
export async function createBook(
  context: Context,
  body: CreateContactBookBody,
  literal?: boolean,
): Promise<ContactBook> {
  const look = nextCommand(context, 'contact', 'book', 'list');
  const hintIfUnknown = `It may have been created. Check before you create it again:\n${look}`;
  const passed = await passBook(context, body, 'Nothing was created.', literal);
  try {
    const book = await context.callPassed(
      passed,
      'contactBook.create',
      { body },
      { nameOf: bookFlagOf, hintIfUnknown },
    );
    await rememberLastCreated(context, 'contact book', book.id);
    return book;
  } catch (error) {
    const { doubleOptInFrom: from } = body;
    throw await explainSender(error, context, from ? [from] : []);
  }
}
