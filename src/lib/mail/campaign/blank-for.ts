import type { Contact, ContactBook } from '../../../api/contact.ts';
import { limits } from '../../../api/limits.ts';
import type { MessageContent } from '../../../shared/check/message.ts';
import { ofContact } from '../../../shared/merge.ts';
import { noValue } from '../../../shared/no-value.ts';
import { compact } from '../../base/text/compact.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { CallOptions } from '../../service/http/client.ts';

/** Lists the contacts of a book, which may be many, at most once. */
export type ListContacts = (
  contactBookId: string,
  within?: Pick<CallOptions, 'deadline'>,
) => Promise<readonly Contact[]>;

export function createListContacts(context: Pick<Context, 'call'>): ListContacts {
  const listed = new Map<string, Promise<readonly Contact[]>>();
  return (contactBookId, within = {}) => {
    const input = { params: { contactBookId }, query: {} };
    const contacts = listed.get(contactBookId) ?? context.call('contact.list', input, within);
    listed.set(contactBookId, contacts);
    // Another one may have more time.
    contacts.catch(() => listed.delete(contactBookId));
    return contacts;
  };
}

/** Tells for whom of the listed contacts a placeholder is empty, as campaigns fill it in, or has a text that programs write for no value. */
export function blankFor(
  { variables, _count }: Partial<ContactBook>,
  contacts: readonly Contact[],
): MessageContent['blankFor'] {
  const all = contacts.filter(({ subscribed }) => subscribed === true);
  const people = all.map((contact) => ({
    email: contact.email,
    lookup: ofContact(variables ?? [], contact),
  }));
  const isWhole = contacts.length < limits.contactsPerList || contacts.length === _count?.contacts;
  const of = isWhole
    ? quantity(all.length, 'subscribed contact')
    : `the ${quantity(all.length, 'subscribed contact')} that the service lists`;
  return (name) => {
    // What the book does not have is undefined, and sent literally.
    const isNothing = ({ lookup }: (typeof people)[number]) => noValue.test(lookup(name) ?? '');
    const blank = people.filter(
      (one) => one.lookup(name)?.trim() === '' || one.lookup(name) === null || isNothing(one),
    );
    const [first] = blank;
    if (first === undefined) return undefined;
    const texts = blank.filter(isNothing);
    const example = JSON.stringify(texts[0]?.lookup(name));
    const unfilled =
      texts.length > 0 &&
      `${grouped(texts.length)} with a text such as ${example}, which no fallback replaces`;
    return compact(`${grouped(blank.length)} of ${of}, such as ${first.email}`, unfilled).join(
      '; ',
    );
  };
}
