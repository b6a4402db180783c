import type { Contact } from '../../../api/contact.ts';
import { limits } from '../../../api/limits.ts';
import { NotFoundError, when, withHint } from '../../base/errors.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { withBook } from '../../command-line/command/names/books.ts';
import { plannedByName } from '../../command-line/command/names/named-dry-run.ts';
import { checkPlan, type PlannedCall } from '../../command-line/command/plan-of.ts';
import { done, type Result } from '../../command-line/output/result.ts';
import { contactsByAddress } from './by-address.ts';
import type { unsubscribedList } from './contact-shapes.ts';
import { hasUnsubscribed } from './subscription.ts';

type UnsubscribedList = ReadonlyInfer<typeof unsubscribedList>;

/** Whether a line of a list is the id of a contact, or the header above such ids. */
export function isContactId(text: string): boolean {
  return text === 'id' || /^[\w-]{8,}$/.test(text);
}

/**
 * Unsubscribes the contacts of a book with these addresses, or these ids, one request each: services have none for several. Who
 * is not in the book needs nothing, so the same command can be repeated. Throws what a request throws, with how far
 * it came.
 */
export async function unsubscribeList(
  context: Context,
  book: string,
  addresses: readonly string[],
): Promise<Result> {
  const body = { subscribed: false };
  return await withBook<Result>(context, book, async (contactBookId) => {
    const call = (contactId: string): PlannedCall => {
      const params = { contactBookId, contactId };
      return (client) => client.call('contact.update', { params, body });
    };
    // What is found later is planned by its address.
    await checkPlan(
      context,
      addresses.map((one) => (isContactId(one) ? call(one) : plannedByName('contact', one, call))),
    );
    const contacts = addresses.every(isContactId)
      ? await byId(context, contactBookId, addresses)
      : await inAnyCapitals(context, contactBookId, addresses);
    const subscribed = contacts.filter((one) => !hasUnsubscribed(one));
    for (const [index, { id: contactId }] of subscribed.entries()) {
      const progress = `${grouped(index)} of ${quantity(subscribed.length, 'contact')} unsubscribed`;
      context.report(progress, '');
      try {
        const params = { contactBookId, contactId };
        await context.call('contact.update', { params, body });
      } catch (error) {
        throw withHint(error, ({ details: { hint } }) =>
          [hint, `${progress}. To continue, run the same command again.`]
            .filter(Boolean)
            .join('\n'),
        );
      }
    }
    const there = new Set(contacts.flatMap(({ id, email }) => [id, email.toLowerCase()]));
    const reply: UnsubscribedList = {
      contactBookId,
      unsubscribed: subscribed.map(({ email }) => email),
      already: contacts.filter(hasUnsubscribed).map(({ email }) => email),
      missing: addresses.filter((one) => !there.has(one) && !there.has(one.toLowerCase())),
    };
    return done({
      reply,
      ids: subscribed.map(({ id }) => id),
      message: inWords(reply, book),
    });
  });
}

/** The contacts with these ids: those in the list of the book, and others one by one. */
async function byId(
  context: Context,
  contactBookId: string,
  ids: readonly string[],
): Promise<readonly Contact[]> {
  if (ids.length === 0) return [];
  const listed = await context.call('contact.list', { params: { contactBookId }, query: {} });
  const known = new Map(listed.map((one) => [one.id, one]));
  const isWhole = listed.length < limits.contactsPerList;
  const found: Contact[] = [];
  for (const contactId of ids) {
    const params = { contactBookId, contactId };
    const contact =
      known.get(contactId) ??
      (isWhole
        ? undefined
        : await context
            .call('contact.get', { params })
            .catch(when(NotFoundError, () => undefined)));
    if (contact !== undefined) found.push(contact);
  }
  return found;
}

/** The contacts with these addresses. The service compares them exactly; people do not. */
async function inAnyCapitals(
  context: Context,
  contactBookId: string,
  addresses: readonly string[],
): Promise<readonly Contact[]> {
  const wanted = new Set(addresses.map((one) => one.toLowerCase()));
  const found = new Map<string, Contact>();
  const keep = (contacts: readonly Contact[]) => {
    for (const one of contacts) if (wanted.has(one.email.toLowerCase())) found.set(one.id, one);
  };
  const spellings = [...addresses, ...wanted];
  for await (const some of contactsByAddress(context, contactBookId, spellings)) keep(some);
  const spelled = new Set([...found.values()].map(({ email }) => email.toLowerCase()));
  if (spelled.size < wanted.size) {
    const all = await context.call('contact.list', { params: { contactBookId }, query: {} });
    keep(all);
    if (all.length >= limits.contactsPerList) {
      context.notes.warn(
        `The service lists at most ${grouped(limits.contactsPerList)} contacts of a book, so some addresses may be in it with other capitals.`,
      );
    }
  }
  return [...found.values()];
}

function inWords({ unsubscribed, already, missing }: UnsubscribedList, book: string): string {
  return [
    `Unsubscribed ${quantity(unsubscribed.length, 'contact')} of ${book}.`,
    ...(already.length > 0 ? [`${grouped(already.length)} had unsubscribed before.`] : []),
    ...(missing.length > 0 ? [`Not in the book: ${quotedNames(missing)}.`] : []),
  ].join(' ');
}
