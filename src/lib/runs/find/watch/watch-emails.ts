import type { EmailListItem } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { firstPause, longerPause } from '../../../command-line/command/poll.ts';
import type { Waiting } from '../../../command-line/command/waiting.ts';
import { type FoundEmail, withFields, withLastEvents } from '../../../mail/email/last-event.ts';
import { pendingStatuses } from '../../../mail/email/statuses.ts';
import type { EmailQuery } from '../email-query.ts';
import { refuseWithoutStatus, wantedOf } from '../find-emails.ts';

/** A new email, or one whose status has changed. */
export type WatchedEmail = FoundEmail & {
  /** When it was seen, ISO 8601. */
  readonly seenAt: string;
  /** Null for a new email. */
  readonly previousStatus: string | null;
};

/** Pages that one look reads at most, once the first one is over. */
const mostPages = 10;

/** Emails that are remembered, at least. */
const remembered = 20_000;

/** Statuses of emails that are on their way now; one that is scheduled may be for days. */
const moving: readonly (string | null | undefined)[] = pendingStatuses.filter(
  (status) => status !== 'SCHEDULED',
);

/** Emails as they were last seen: their statuses by id, and when those that move were created. */
interface Seen {
  readonly statuses: Map<string, string | null>;
  /** Emails that were created then or later are new if they are not known. Milliseconds since 1970. */
  readonly start: number;
}

/**
 * Watches the list of emails, and yields what is new and what has changed, oldest first, at each look. Without a
 * start in the query, emails that are there at the first look are not new. A look reads pages only as far as emails
 * that are on their way, at most 500 emails; `beyond` is called if some of them are older than that.
 */
export async function* watchEmails(
  context: Context,
  query: EmailQuery,
  {
    waiting,
    interval,
    beyond,
  }: {
    readonly waiting: Waiting;
    readonly interval: number | undefined;
    readonly beyond: () => void;
  },
): AsyncGenerator<readonly WatchedEmail[]> {
  const { domainId, startDate } = query.filter;
  const filter = domainId === undefined ? {} : { domainId };
  const limit = limits.emailsPerPage.max;
  const since = startDate === undefined ? undefined : Date.parse(startDate);
  let seen: Seen | undefined;
  let floor = since ?? Number.POSITIVE_INFINITY;

  /** The emails down to the oldest that may have changed, newest first. */
  const look = async (options: { readonly deadline: number }): Promise<EmailListItem[]> => {
    const rows: EmailListItem[] = [];
    const most = seen === undefined ? Number.POSITIVE_INFINITY : mostPages;
    for (let page = 1; page <= most; page++) {
      const query = { ...filter, page, limit };
      const { data } = await context.call('email.list', { query }, options);
      rows.push(...data);
      const last = created(data.at(-1));
      if (data.length < limit || last < floor) return rows;
      // At the first look from now on, one page is enough to know what is old.
      if (floor === Number.POSITIVE_INFINITY) return rows;
    }
    beyond();
    return rows;
  };

  for (let pause = firstPause; ; ) {
    const rows = await waiting.look(look);
    const found: WatchedEmail[] = [];
    if (rows !== undefined) {
      refuseWithoutStatus({ ...query, needsStatus: true }, rows);
      const start = seen?.start ?? since ?? created(rows[0]);
      const isFirst = seen === undefined && since === undefined;
      seen ??= { statuses: new Map(), start };
      const seenAt = new Date(context.system.now()).toISOString();
      for (const row of rows.toReversed()) {
        const status = row.latestStatus ?? null;
        const before = seen.statuses.get(row.id);
        const isNew = before === undefined;
        if (status === before) continue;
        remember(seen.statuses, row.id, status);
        if (isNew && (isFirst || created(row) < seen.start)) continue;
        found.push(withFields(row, { seenAt, previousStatus: before ?? null }));
      }
      const open = rows.filter(({ latestStatus }) => moving.includes(latestStatus));
      floor = Math.min(created(rows[0]), ...open.map(created));
    }
    const matching = found.filter((row) => query.matches?.(row) ?? true);
    yield query.events
      ? wantedOf(await withLastEvents(context, matching, query.trouble), query)
      : matching;
    pause = found.length > 0 ? firstPause : longerPause(pause);
    await waiting.pause(interval ?? pause);
  }
}

/** When an email was created; long ago if that is not known. */
function created(email: EmailListItem | undefined): number {
  const time = Date.parse(email?.createdAt ?? '');
  return Number.isNaN(time) ? 0 : time;
}

/** Remembers a status, and forgets those that have not changed for longest. */
function remember(statuses: Map<string, string | null>, id: string, status: string | null): void {
  statuses.delete(id);
  statuses.set(id, status);
  if (statuses.size <= 2 * remembered) return;
  for (const old of [...statuses.keys()].slice(0, remembered)) statuses.delete(old);
}
