import { bareAddress } from '../../api/bare-address.ts';
import type { Email, EmailEvent, SendBody } from '../../api/email.ts';
import { isObject } from '../output/fields.ts';

/** Where the data of an event names those it is about, by what they are called there. */
const namingFields = [
  'bouncedRecipients',
  'complainedRecipients',
  'delayedRecipients',
  'recipients',
];

/** Everybody an email is addressed to, copies included, as bare addresses without repetitions. */
export function addressees({ to, cc, bcc }: Pick<Email | SendBody, 'to' | 'cc' | 'bcc'>): string[] {
  const given = [to, cc, bcc].flat().filter((one) => typeof one === 'string');
  return [...new Set(given.map(comparable))];
}

/**
 * Everybody an email goes to, as far as it shows: those it is addressed to, and those that only an
 * event names, since some services keep copies to themselves. `sentTo` are more who are known.
 */
export function recipientsOf(email: Email, sentTo: readonly string[] = []): string[] {
  const named = email.emailEvents.flatMap(namedIn);
  return [...new Set([...addressees(email), ...sentTo, ...named])];
}

/** The recipients that an event names, as bare addresses; most kinds of events name none. */
export function namedIn(event: EmailEvent): string[] {
  return namesIn(event).map(comparable);
}

/** The same as the service writes them. */
export function namesIn({ data }: EmailEvent): string[] {
  if (!isObject(data)) return [];
  const named: unknown[] = namingFields.map((field) => data[field]).find(Array.isArray) ?? [];
  return named
    .map((one) => (isObject(one) ? one.emailAddress : one))
    .filter((one): one is string => typeof one === 'string' && one !== '');
}

/** A bare address, its domain as DNS has it: providers write `bücher.example` as `xn--bcher-kva.example`. */
function comparable(mailbox: string): string {
  const address = bareAddress(mailbox);
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const inDns = URL.parse(`http://${domain}`)?.hostname;
  return inDns === undefined ? address : address.slice(0, -domain.length) + inDns;
}
