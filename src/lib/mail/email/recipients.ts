import { type Addressed, addressees, comparable } from '../../../api/addressees.ts';
import type { Email, EmailEvent, SendBody } from '../../../api/email.ts';
import { isObject } from '../../command-line/output/fields.ts';

/** The fields of an event's data that name recipients. */
const namingFields = [
  'bouncedRecipients',
  'complainedRecipients',
  'delayedRecipients',
  'recipients',
];

/** The recipients of an email, as bare addresses, and its scheduled time. */
export interface SentTo {
  /** All recipients, blind copies included. */
  readonly sentTo?: readonly string[];
  readonly to?: readonly string[];
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  /** ISO 8601. */
  readonly scheduledAt?: string | undefined;
}

/** The recipients of a request. */
export function sentBy(body: Addressed & Pick<SendBody, 'scheduledAt'>): SentTo {
  const { scheduledAt, to, cc, bcc } = body;
  return {
    sentTo: addressees({ to, cc, bcc }),
    to: addressees({ to }),
    cc: addressees({ cc }),
    bcc: addressees({ bcc }),
    ...(scheduledAt !== undefined && { scheduledAt }),
  };
}

/** Recipients that the service removed as suppressed. It may not show copies: only arrays are compared. */
export function leftOut(shown: Email, { to, cc, bcc }: SentTo): string[] {
  const there = new Set(recipientsOf(shown));
  const gone = [...missing(to, shown.to), ...missing(cc, shown.cc), ...missing(bcc, shown.bcc)];
  return [...new Set(gone)].filter((one) => !there.has(one));
}

function missing(sent: readonly string[] = [], shown: Addressed['to']): string[] {
  if (!Array.isArray(shown)) return [];
  const there = new Set(addressees({ to: shown }));
  return sent.filter((one) => !there.has(one));
}

/** All known recipients of an email: the service may not show copies, so its events and `sentTo` count too. */
export function recipientsOf(email: Email, sentTo: readonly string[] = []): string[] {
  const named = email.emailEvents.flatMap(namedIn);
  return [...new Set([...addressees(email), ...sentTo, ...named])];
}

/** The recipients that an event names, as bare addresses; most events name none. */
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
