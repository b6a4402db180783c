import { addressees } from '../../../../api/addressees.ts';
import { bareAddress } from '../../../../api/bare-address.ts';
import type { EmailListItem, SendBody } from '../../../../api/email.ts';
import { inOneLine } from '../../../base/text/in-one-line.ts';

/**
 * What the service has of a request that was begun and had no response: nothing, some or all of its emails, or
 * emails that another request may own as well.
 */
export type Begun =
  | { readonly kind: 'none' | 'unclear' }
  | { readonly kind: 'some' | 'all'; readonly ids: readonly string[] };

/**
 * Gives each email the item that must be its own, in the order of the emails; `owners` says how many requests
 * without a response may own an email with a signature.
 */
export function matchEmails(
  emails: readonly SendBody[],
  items: readonly EmailListItem[],
  owners: (signature: string) => number,
): Begun {
  const groups = new Map<string, { readonly email: SendBody; readonly places: number[] }>();
  for (const [place, email] of emails.entries()) {
    const signature = signatureOf(email);
    const group = groups.get(signature) ?? { email, places: [] };
    group.places.push(place);
    groups.set(signature, group);
  }
  const ids: (string | undefined)[] = emails.map(() => undefined);
  const taken = new Set<string>();
  for (const [signature, { email, places }] of groups) {
    // Oldest first, as they were created.
    const own = items.filter((item) => isPerhaps(item, email)).toReversed();
    if (own.length === 0) continue;
    const isShared = owners(signature) > 1 || own.some(({ id }) => taken.has(id));
    if (isShared || own.length > places.length) return { kind: 'unclear' };
    for (const [index, { id }] of own.entries()) {
      taken.add(id);
      ids[places[index] ?? 0] = id;
    }
  }
  const found = ids.filter((id) => id !== undefined);
  if (found.length === 0) return { kind: 'none' };
  return { kind: found.length === emails.length ? 'all' : 'some', ids: found };
}

/** Emails with the same signature cannot be told apart in the list. */
export function signatureOf(email: SendBody): string {
  const { from, subject, text, html, templateId } = email;
  return JSON.stringify([
    addressees({ to: email.to }).toSorted(),
    from,
    subject,
    text,
    html,
    templateId,
  ]);
}

/** Whether an item may be this email. The service does not show suppressed recipients, which may be all. */
function isPerhaps(item: EmailListItem, email: SendBody): boolean {
  const recipients = new Set(addressees({ to: email.to }));
  if (!addressees({ to: item.to ?? [] }).every((address) => recipients.has(address))) return false;
  if (typeof item.from === 'string' && bareAddress(item.from) !== bareAddress(email.from))
    return false;
  // A stored template has a subject and HTML of its own.
  if (email.templateId !== undefined) return isText(item.text, email.text);
  return (
    isText(item.subject, email.subject) &&
    isText(item.text, email.text) &&
    isText(item.html, email.html)
  );
}

/** A service may not show a text at all. */
function isText(shown: unknown, sent: unknown): boolean {
  if (typeof shown !== 'string' || typeof sent !== 'string') return true;
  return inOneLine(shown) === inOneLine(sent);
}
