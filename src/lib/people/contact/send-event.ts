import { type ContactBook, usesDoubleOptIn } from '../../../api/contact.ts';
import { type SendEventBody, sendEvent } from '../../../api/event.ts';
import type { Reply } from '../../../api/operations.ts';
import {
  isPlainRejection,
  MailerError,
  NotFoundError,
  NotOfferedError,
  problemOf,
} from '../../base/errors.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { featuresOf } from '../../command-line/command/features.ts';
import { withBook } from '../../command-line/command/names/books.ts';
import { withContact } from '../../command-line/command/names/contacts.ts';
import { plannedByName } from '../../command-line/command/names/named-dry-run.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { checkPlan, type PlannedCall, planOfCalls } from '../../command-line/command/plan-of.ts';
import { missingOperation } from '../../service/http/missing-operation.ts';
import { namedBy } from '../../service/http/named-by.ts';
import type { CountedBatch } from '../../service/http/request-guard.ts';
import { addKnown } from './add-contact.ts';
import type { EventRequest } from './event-body.ts';
import { eventFlagOf } from './event-flags.ts';

/** An event that was sent, and what happened before. */
interface SentEvent {
  readonly reply: Reply<'event.send'>;
  /** A sentence about the contact, if it was added. */
  readonly added?: string;
}

/**
 * Sends an event to a contact by its id: a service looks an address up in all books, and adds and subscribes
 * whom it does not find. Throws a `NotFoundError` for an unknown contact, and otherwise like `withContact`.
 */
export async function sendToContact(context: Context, request: EventRequest): Promise<SentEvent> {
  const { contact: named, book, create, event } = request;
  if (book === undefined) {
    const reply = await post(context, { ...event, contactId: named }).catch(async (error) => {
      throw await explainContact(error, context, named);
    });
    return { reply };
  }
  const isDryRun = context.flags.dryRun === true;
  if (create) await planToAdd(context, { named, book, event });
  return await withContact(
    context,
    book,
    named,
    async (contactBookId, contactId, found) => {
      if (found === undefined && !isDryRun) {
        await context.call('contact.get', { params: { contactBookId, contactId } });
      }
      return { reply: await post(context, { ...event, contactId, contactBookId }) };
    },
    create ? (to) => addThenSend(context, request, to) : undefined,
  );
}

/** Plans that the contact has to be added first: whether it has is known only once it is looked up. */
async function planToAdd(
  context: Context,
  { named, book, event }: { named: string; book: string; event: EventRequest['event'] },
): Promise<void> {
  if (context.flags.dryRun === true) {
    context.notes.say(
      `The address ${named} would be looked up first, and added if the book does not have it.`,
    );
  }
  await withBook(context, book, async (contactBookId) => {
    const calls: PlannedCall[] = [
      (client) =>
        client.call('contact.create', { params: { contactBookId }, body: { email: named } }),
      plannedByName(
        'contact',
        named,
        (contactId) => (client) =>
          client.call(
            'event.send',
            { body: { ...event, contactId, contactBookId } },
            { nameOf: namedBy(eventFlagOf) },
          ),
      ),
    ];
    // What is wrong with the event is an error before the contact is added.
    await planOfCalls(context, calls);
    await checkPlan(context, calls);
  });
}

/** Adds the contact as `contact add` does, then sends it the event. Nothing is added for an event that cannot be sent. */
async function addThenSend(
  context: Context,
  { contact: email, event }: EventRequest,
  book: ContactBook,
): Promise<SentEvent> {
  await assertOffered(context);
  const contactBookId = book.id;
  await assertAllowed(context, { ...event, email, contactBookId });
  const [body, before] = [{ email }, { book, contact: undefined }];
  // Limits count the email that asks to confirm together with the event, so that not only one of them is allowed.
  const whole = { key: context.system.uuid(), recipients: usesDoubleOptIn(book) ? 2 : 1 };
  const { reply, message } = await addKnown(context, body, before, whole);
  const { contactId } = reply;
  try {
    return {
      reply: await post(context, { ...event, contactId, contactBookId }, whole),
      added: message,
    };
  } catch (error) {
    // Not as a hint, because a service without events is explained by another one.
    context.notes.warnOnce(`${email} was added to ${book.name}.`);
    throw error;
  }
}

function post(context: Context, body: SendEventBody, whole?: CountedBatch) {
  const hintIfUnknown =
    'The event may have been processed. Sending it again may start the same automation twice.';
  const nameOf = namedBy(eventFlagOf);
  return context.call('event.send', { body }, { nameOf, hintIfUnknown, whole });
}

/** Throws a `NotOfferedError` if the service says that it takes no events. */
async function assertOffered(context: Context): Promise<void> {
  const features = await featuresOf(context);
  if (features?.find(({ feature }) => feature === 'event')?.offered !== false) return;
  throw new NotOfferedError(missingOperation(sendEvent).message, {
    hint: `To see what it offers: ${nextCommand(context, 'whoami', '--features')}`,
  });
}

/** Throws a `PolicyError` if the policy does not allow this event. */
async function assertAllowed(context: Context, body: SendEventBody): Promise<void> {
  const { policy } = await context.policy();
  if (policy.shown.length === 0) return;
  const [{ examineMail }, { whyApproval }, { needsApproval }] = await Promise.all([
    import('../../service/policy/examine-mail.ts'),
    import('../../service/policy/refusal.ts'),
    import('../../command-line/outbox/prepare.ts'),
  ]);
  const { method, path } = sendEvent;
  const { audience } = await examineMail({
    ...{ kind: 'event', ids: {}, policy, idempotencyKey: undefined, showOnly: false },
    ...{ request: { method, path, body: JSON.stringify(body) }, call: context.call },
  });
  const refusal = audience && whyApproval(policy, audience);
  if (refusal !== undefined) throw needsApproval(context, refusal);
}

/** The error for an id without a book: a `NotFoundError` if no book has it, which services report as a 400. */
async function explainContact<Thrown>(
  thrown: Thrown,
  context: Context,
  id: string,
): Promise<Thrown | MailerError> {
  if (!(thrown instanceof MailerError) || !isPlainRejection(problemOf(thrown))) return thrown;
  // Without a deadline, so that the exit code does not depend on the number of books.
  const isKnown = await bestEffort(context, async () => {
    for (const { id: contactBookId } of await context.call('contactBook.list', {})) {
      const query = { ids: id };
      const found = await context.call('contact.list', { params: { contactBookId }, query });
      if (found.some((one) => one.id === id)) return true;
    }
    return false;
  });
  if (isKnown !== false) return thrown;
  return new NotFoundError(`There is no contact ${JSON.stringify(id)}.`, {
    hint: `To list the contacts of a book: ${nextCommand(context, 'contact', 'list')}`,
  });
}
