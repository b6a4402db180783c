import type { Email, EmailEvent, EmailListItem } from '../../../api/email.ts';
import { inOrder } from './events.ts';
import { leftOut, namedIn, recipientsOf, type SentTo } from './recipients.ts';

/** Statuses of an email without problems; each includes the ones before it. */
const goodOrder = ['SENT', 'DELIVERED', 'OPENED', 'CLICKED'];

/** Statuses that every recipient has to reach; for the others, one recipient is enough. */
const forEveryone = ['SENT', 'DELIVERED'];

/** Statuses that are final for a recipient. */
const badForOne = ['BOUNCED', 'COMPLAINED'];

/** Statuses that are final for all recipients. */
const badForAll = ['REJECTED', 'RENDERING_FAILURE', 'FAILED', 'CANCELLED', 'SUPPRESSED'];

const badEnds = [...badForOne, ...badForAll];

/** The statuses that `--wait` accepts. */
export const waitStatuses: readonly string[] = [...goodOrder, ...badEnds];

/** Whether an email has reached a status. */
export type Outcome =
  | { readonly kind: 'reached' }
  /** It failed before that; `events` are the reasons, first to last. */
  | { readonly kind: 'bad'; readonly events: readonly [EmailEvent, ...EmailEvent[]] }
  | Open;

/** The email may still reach the status. */
interface Open {
  readonly kind: 'open';
  /** How many recipients have reached it; absent if one is enough. */
  readonly share?: { readonly reached: number; readonly of: number };
  /** Recipients who have not, if events name those who have. */
  readonly missing?: readonly string[];
}

/**
 * Whether an email has reached a status, by its events. Every recipient has to reach SENT and DELIVERED;
 * if one fails before, the email has failed. Any other status needs one recipient, because opens don't
 * identify recipients, and not everybody opens; the email fails when no recipient can reach it any more.
 *
 * `sent` has the recipients of the request, which the service may not show. A recipient that the service
 * removed as suppressed counts as failed, although there is no event for it.
 *
 * An event that names no recipient counts as one recipient: two such DELIVERED mean two recipients. Opens
 * and clicks repeat, so all of them together count as one.
 */
export function judge(email: Email, until: string, sent: SentTo = {}): Outcome {
  const events = [...suppressions(email, sent), ...inOrder(email.emailEvents)];
  const enough = goodOrder.includes(until) ? goodOrder.slice(goodOrder.indexOf(until)) : [until];
  const good = events.filter(({ status }) => enough.includes(status));
  const bad = events.filter(({ status }) => badEnds.includes(status));
  const recipients = recipientsOf(email, sent.sentTo);
  if (recipients.length > 1 && forEveryone.includes(until)) return ofAll(recipients, good, bad);
  if (good.length > 0) return { kind: 'reached' };
  const over = email.emailEvents.some(({ status }) => badForAll.includes(status));
  const lost = over || countOf(bad) >= recipients.length;
  return lost ? badOr(bad, { kind: 'open' }) : { kind: 'open' };
}

/**
 * The same for an email with one recipient, by its status in the list; undefined if that needs its events: for the
 * reason of a failure, or if the status says nothing about the awaited one.
 */
export function judgeListed(
  listed: EmailListItem,
  until: string,
  sent: SentTo,
): Outcome | undefined {
  const { latestStatus: status, createdAt } = listed;
  if (!status || !goodOrder.includes(until)) return undefined;
  // It was SENT before that.
  if (status === 'DELIVERY_DELAYED' && until === 'SENT') return undefined;
  const emailEvents = [{ status, createdAt: createdAt ?? '' }];
  const outcome = judge({ ...listed, emailEvents }, until, sent);
  return outcome.kind === 'bad' ? undefined : outcome;
}

/** An event for each suppressed recipient, which the service does not report. */
function suppressions(email: Email, sent: SentTo): EmailEvent[] {
  const status = 'SUPPRESSED';
  if (email.emailEvents.some((event) => event.status === status)) return [];
  const createdAt = email.createdAt ?? '';
  return leftOut(email, sent).map((one) => ({ status, createdAt, data: { recipients: [one] } }));
}

/** The outcome if each of several recipients has to reach the status. */
function ofAll(
  recipients: readonly string[],
  good: readonly EmailEvent[],
  bad: readonly EmailEvent[],
): Outcome {
  const there = new Set(good.flatMap(namedIn));
  const reached = Math.max(
    there.size,
    ...goodOrder.map((status) => {
      const count = countOf(good.filter((event) => event.status === status));
      return forEveryone.includes(status) ? count : Math.min(count, 1);
    }),
  );
  if (reached >= recipients.length) return { kind: 'reached' };
  const open: Open = {
    kind: 'open',
    share: { reached, of: recipients.length },
    ...(reached > there.size ? {} : { missing: recipients.filter((one) => !there.has(one)) }),
  };
  // A complaint after a delivery does not undo the delivery.
  const lost = bad.filter((event) => {
    const named = namedIn(event);
    return named.length === 0 || named.some((one) => !there.has(one));
  });
  return badOr(lost, open);
}

function badOr([first, ...others]: readonly EmailEvent[], open: Open): Outcome {
  return first === undefined ? open : { kind: 'bad', events: [first, ...others] };
}

/** How many recipients events are about: the named ones, and one per event that names none. */
export function countOf(events: readonly EmailEvent[]): number {
  const named = events.map(namedIn);
  return new Set(named.flat()).size + named.filter((names) => names.length === 0).length;
}
