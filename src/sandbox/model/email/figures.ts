import type { Store } from '../../store/store.ts';
import { domainOf } from '../addresses.ts';
import { eventData } from './event-data.ts';

/** How many emails had each of these events. */
export interface Figures {
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  hardBounced: number;
  complained: number;
}

interface Span {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly domainId?: number | undefined;
}

const none: Figures = {
  ...{ sent: 0, delivered: 0, opened: 0, clicked: 0 },
  ...{ bounced: 0, hardBounced: 0, complained: 0 },
};

/** The figure in which each event is counted. */
export const counted = {
  SENT: 'sent',
  DELIVERED: 'delivered',
  OPENED: 'opened',
  CLICKED: 'clicked',
  BOUNCED: 'bounced',
  COMPLAINED: 'complained',
} as const;

export function isCounted(status: string): status is keyof typeof counted {
  return Object.hasOwn(counted, status);
}

/** Whether a bounce is permanent. Bounces in the sandbox have no data of their own. */
const isHard = "status = 'BOUNCED' AND json_extract(data, '$.bounceType') IS NOT 'Transient'";

/** The figures of each day in UTC, such as `2026-01-31`, that has any, oldest first. */
export function figuresByDay(
  store: Store,
  { since, domainId }: Span,
): { readonly date: string; readonly figures: Figures }[] {
  const days = new Map<string, Figures>();
  const rows = store.all<{ date: string; status: string; emails: number; hard: number }>(
    `SELECT date(events.created_at / 1000, 'unixepoch') AS date, status,
       count(DISTINCT email_id) AS emails,
       count(DISTINCT CASE WHEN ${isHard} THEN email_id END) AS hard
     FROM events JOIN emails ON emails.id = events.email_id
     WHERE events.created_at >= ? AND (? IS NULL OR domain_id = ?)
     GROUP BY date, status ORDER BY date`,
    since,
    domainId ?? null,
    domainId ?? null,
  );
  for (const { date, status, emails, hard } of rows) {
    if (!isCounted(status)) continue;
    const field = counted[status];
    const figures = days.get(date) ?? { ...none };
    figures[field] += emails;
    if (field === 'bounced') figures.hardBounced += hard;
    days.set(date, figures);
  }
  return [...days].map(([date, figures]) => ({ date, figures }));
}

/** The sums of figures. */
export function sumOf(all: readonly Figures[]): Figures {
  const sum = { ...none };
  for (const figures of all) {
    for (const field of fields) sum[field] += figures[field];
  }
  return sum;
}

// The literal has exactly the keys of its type.
const fields = Object.keys(none) as (keyof Figures)[];

/** The part in percent; 0 if the whole is 0. */
export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : (part / whole) * 100;
}

/** The hard bounces since `since`, one per recipient. */
export function hardBounces(store: Store, since: number) {
  return store
    .all<{ recipient: string; at: number; data: unknown }>(
      `SELECT recipient, created_at AS at, data FROM events
       WHERE ${isHard} AND created_at >= ?`,
      since,
    )
    .map(({ recipient, at, data }) => {
      const report = data ?? eventData('BOUNCED', recipient, at);
      const reason: unknown = Reflect.get(Object(report), 'bounceSubType');
      return {
        domain: domainOf(recipient).toLowerCase(),
        reason: typeof reason === 'string' ? reason : 'Undetermined',
      };
    });
}
