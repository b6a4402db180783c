import type { Email, EmailEvent } from '../../api/email.ts';
import { inOrder } from './events.ts';
import { leftOut, namedIn, recipientsOf, type SentTo } from './recipients.ts';

/** The statuses of an email while all is well; reaching one includes those before it. */
const goodOrder = ['SENT', 'DELIVERED', 'OPENED', 'CLICKED'];

/** Statuses that every recipient has to reach; of all others one recipient is enough. */
const forEveryone = ['SENT', 'DELIVERED'];

/** Statuses after which nothing good follows for a recipient. */
const badForOne = ['BOUNCED', 'COMPLAINED'];

/** Those after which nothing good follows for any recipient. */
const badForAll = ['REJECTED', 'RENDERING_FAILURE', 'FAILED', 'CANCELLED', 'SUPPRESSED'];

const badEnds = [...badForOne, ...badForAll];

/** Statuses that can be waited for. */
export const waitStatuses: readonly string[] = [...goodOrder, ...badEnds];

/** How far an email is on its way to a status. */
export type Outcome =
  | { readonly kind: 'reached' }
  /** It ended otherwise; `events` are the reasons, first to last. */
  | { readonly kind: 'bad'; readonly events: readonly [EmailEvent, ...EmailEvent[]] }
  | Open;

/** It is not decided yet. */
interface Open {
  readonly kind: 'open';
  /** How many recipients have reached it already; absent where one is enough. */
  readonly share?: { readonly reached: number; readonly of: number };
  /** Recipients who have not, where events name those who have. */
  readonly missing?: readonly string[];
}

/**
 * Whether an email has reached a status, by its events. SENT and DELIVERED have to be reached by every
 * recipient, and one that ends badly before is a bad end. All other statuses need one recipient: opens
 * name nobody, and not everybody opens. It ends badly when no recipient is left who could reach it.
 *
 * `sent` has the recipients of the request, which the service may not show. A recipient that it removed
 * as suppressed counts as a bad end, although no event says so.
 *
 * Events that name no recipient count for one each: two such DELIVERED mean two recipients, whoever
 * they are. Opens and clicks repeat, so all of them together count for one.
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

/** An event for each suppressed recipient, which the service does not report itself. */
function suppressions(email: Email, sent: SentTo): EmailEvent[] {
  const status = 'SUPPRESSED';
  if (email.emailEvents.some((event) => event.status === status)) return [];
  const createdAt = email.createdAt ?? '';
  return leftOut(email, sent).map((one) => ({ status, createdAt, data: { recipients: [one] } }));
}

/** The same where each of several recipients has to reach it. */
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
  // Who reached it before is not lost any more: a complaint follows a delivery.
  const lost = bad.filter((event) => {
    const named = namedIn(event);
    return named.length === 0 || named.some((one) => !there.has(one));
  });
  return badOr(lost, open);
}

function badOr([first, ...others]: readonly EmailEvent[], open: Open): Outcome {
  return first === undefined ? open : { kind: 'bad', events: [first, ...others] };
}

/** How many recipients events are about: those they name, and one for each that names none. */
function countOf(events: readonly EmailEvent[]): number {
  const named = events.map(namedIn);
  return new Set(named.flat()).size + named.filter((names) => names.length === 0).length;
}
