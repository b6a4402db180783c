import type { Contact, ContactBook, CreateContactBody } from '../../../api/contact.ts';
import type { Reply } from '../../../api/operations.ts';
import { UsageError } from '../../base/errors.ts';
import { defined } from '../../base/json/defined.ts';
import { askForValues } from '../../command-line/command/ask/ask-for-values.ts';
import type { Context } from '../../command-line/command/context.ts';
import { bookNeed, withBook } from '../../command-line/command/names/books.ts';
import { contactOf } from '../../command-line/command/names/contacts.ts';
import { rememberLastCreated } from '../../command-line/command/names/last-made.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { namedBy } from '../../service/http/named-by.ts';
import type { CountedBatch } from '../../service/http/request-guard.ts';
import { type AddFlags, addFlagOf } from './add-flags.ts';
import { contactFields } from './contact-fields.ts';
import { hasUnsubscribed, isUnconfirmed } from './subscription.ts';

/** Builds the request, with the id or name of the book, and asks for what is missing. Throws a `UsageError` for wrong flags. */
export async function readAddRequest(context: Context, flags: AddFlags) {
  const { mailboxParts, mailboxProblem } = await import('../../../api/address.ts');
  const problemWith = (text: string) =>
    mailboxProblem(text) ??
    (mailboxParts(text)?.address === text
      ? undefined
      : 'Give the address without a display name; --first-name and --last-name set the name.');
  const hint = flags.email ? problemWith(flags.email) : undefined;
  if (hint !== undefined) {
    throw new UsageError(`--email: ${JSON.stringify(flags.email)} is not an email address`, {
      hint,
    });
  }
  const fields = await contactFields(context, flags);
  const [book = '', email = ''] = await askForValues(
    [
      context.flags.dryRun === true
        ? bookNeed(context, flags.book)
        : {
            ...bookNeed(context, flags.book),
            ask: async () => await (await import('./book/book-or-new.ts')).chooseBook(context),
          },
      { flag: '--email', question: 'Email address', value: flags.email, check: problemWith },
    ],
    context.prompts,
  );
  // A file may have properties that are not strings; the client checks them against the contract.
  return { book, body: { email, ...defined(fields) } as CreateContactBody };
}

interface Before {
  readonly book: ContactBook;
  /** The existing contact with this address, if there is one. */
  readonly contact: Contact | undefined;
}

interface Added {
  readonly reply: Reply<'contact.create'>;
  readonly message: string;
}

/**
 * Adds a contact, or updates the one with this address, and keeps its id for `@last`. Asks first if the
 * service will email the contact. Throws like `withBook`.
 */
export async function addContact(
  context: Context,
  { book: named, body }: Awaited<ReturnType<typeof readAddRequest>>,
): Promise<Added> {
  return await withBook(context, named, async (contactBookId, listed) => {
    const params = { contactBookId };
    // A dry run ends here, because it needs no key.
    if (context.flags.dryRun === true) {
      return {
        reply: await context.call('contact.create', { params, body }, { nameOf }),
        message: '',
      };
    }
    return await addKnown(context, body, {
      book: listed ?? (await context.call('contactBook.get', { params })),
      contact: await contactOf(context, contactBookId, body.email),
    });
  });
}

/** The same once book and contact have been looked up. `whole`: what limits count it with. */
export async function addKnown(
  context: Context,
  given: CreateContactBody,
  before: Before,
  whole?: CountedBatch,
): Promise<Added> {
  const { id: contactBookId } = before.book;
  // In other capitals, the service would add a second contact.
  const body = { ...given, email: before.contact?.email ?? given.email };
  const look = nextCommand(context, 'contact', 'get', body.email, '--book', contactBookId);
  const hintIfUnknown = `It may have been added. Check before you add it again:\n${look}`;
  const willMail = getsEmail(body, before);
  if (willMail) await context.prompts.confirm(question(body, before), 'Nothing was added');
  const reply = await context.call(
    'contact.create',
    { params: { contactBookId }, body },
    { nameOf, hintIfUnknown, whole },
  );
  await rememberLastCreated(context, 'contact', reply.contactId, contactBookId);
  return { reply, message: messageOf(context, body, before, willMail) };
}

const nameOf = namedBy({ ...addFlagOf, contactBookId: '--book' });

/** Whether the service will ask the contact to confirm its subscription, for the first time or again. */
export function getsEmail({ subscribed }: CreateContactBody, { book, contact }: Before): boolean {
  const canConfirm = contact === undefined || isUnconfirmed(contact);
  return book.doubleOptInEnabled === true && subscribed !== false && canConfirm;
}

function question({ email }: CreateContactBody, { book, contact }: Before): string {
  return contact === undefined
    ? `${book.name} has double opt-in: ${email} will get an email that asks to confirm the subscription. Add the contact?`
    : `${email} was asked to confirm the subscription to ${book.name}, and has not confirmed yet. The service will send the email again; contact update would not. Continue?`;
}

function messageOf(
  context: Context,
  { email, subscribed }: CreateContactBody,
  { book, contact }: Before,
  willMail: boolean,
): string {
  const sentences = [
    contact === undefined
      ? `Added contact ${email}.`
      : `Updated contact ${email}, which was already in the book.`,
  ];
  if (willMail) {
    sentences.push('The service sends an email that asks to confirm the subscription.');
  } else if (contact === undefined && subscribed === false) {
    sentences.push('The contact is not subscribed.');
  } else if (contact !== undefined && hasUnsubscribed(contact)) {
    const words = ['contact', 'update', email, '--book', book.id, '--subscribed'];
    sentences.push('The contact has unsubscribed, and stays unsubscribed.');
    const again = `To subscribe the contact again: ${nextCommand(context, ...words)}`;
    if (subscribed === true) sentences.push(again);
  }
  return sentences.join(' ');
}
