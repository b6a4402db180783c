import { addressees } from '../../../../api/addressees.ts';
import type { Email, SendBody } from '../../../../api/email.ts';
import { inOneLine } from '../../../base/text/in-one-line.ts';

/** What the service shows of an email that it created; undefined if it does not show it. */
export type TakenEmail = Pick<Email, 'to' | 'subject'> | undefined;

/**
 * Finds the emails that the service created among those sent, by recipient and subject. Both are in the same
 * order: a place is certain if the earliest possible one is also the latest. If what the service shows fits
 * in no order, nothing is certain.
 */
export function matchInOrder(
  taken: readonly TakenEmail[],
  sent: readonly Pick<SendBody, 'to' | 'subject' | 'templateId'>[],
) {
  const traits = sent.map((email) => ({
    ...email,
    recipients: new Set(addressees({ to: email.to })),
  }));
  const fits = taken.map((email) => traits.map((one) => isPerhaps(email, one)));
  const earliest: number[] = [];
  for (const row of fits) earliest.push(row.indexOf(true, (earliest.at(-1) ?? -1) + 1));
  const latest: number[] = [];
  for (const row of fits.toReversed()) {
    const before = latest[0] ?? sent.length;
    latest.unshift(before === 0 ? -1 : row.lastIndexOf(true, before - 1));
  }
  const places = sent.map((_, place) => place);
  if (earliest.includes(-1)) {
    return { certain: taken.map(() => undefined), uncertain: places, untaken: [] };
  }
  const certain = earliest.map((place, index) => (place === latest[index] ? place : undefined));
  const mayBeAt = (place: number) =>
    fits.some(
      (row, index) =>
        row[place] === true && place >= (earliest[index] ?? 0) && place <= (latest[index] ?? 0),
    );
  const possible = places.filter(mayBeAt);
  return {
    /** For each created email, its place among those sent; undefined if several are possible. */
    certain,
    /** Places of emails that may have been created or not. */
    uncertain: possible.filter((place) => !certain.includes(place)),
    /** Places of emails that were not created. */
    untaken: places.filter((place) => !possible.includes(place)),
  };
}

interface Traits extends Pick<SendBody, 'subject' | 'templateId'> {
  readonly recipients: ReadonlySet<string>;
}

/**
 * Whether they may be the same. The service does not show suppressed recipients, which may be all; and a
 * template has a subject of its own.
 */
function isPerhaps(email: TakenEmail, { recipients, subject, templateId }: Traits): boolean {
  if (email === undefined) return true;
  if (!addressees({ to: email.to }).every((address) => recipients.has(address))) return false;
  if (templateId !== undefined || typeof email.subject !== 'string') return true;
  return inOneLine(email.subject) === inOneLine(subject ?? '');
}
