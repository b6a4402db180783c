import type { EmailListItem } from '../../../api/email.ts';
import { limits } from '../../../api/limits.ts';
import { NotOfferedError } from '../../base/errors.ts';
import { quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { ListPage } from '../../command-line/output/result.ts';
import {
  type ExaminedHistory,
  type FoundEmail,
  withLastEvents,
} from '../../mail/email/last-event.ts';
import { totalCount } from '../../mail/email/period.ts';
import { emailPages } from './email-pages.ts';
import type { EmailQuery } from './email-query.ts';

interface SearchLimits {
  /** Emails to find. */
  readonly most: number;
  /** Emails to look through. */
  readonly mostScanned: number;
}

/** How far a search is, while its pages are read. */
export interface Search {
  /** Emails looked through. */
  scanned: number;
  found: number;
  /** What ended it before all emails were looked through. */
  cutBy: 'found' | 'scanned' | undefined;
  /** How many emails the service has in the period, by its last page. */
  total: number | undefined;
  /** How many emails may match by their histories, which are not fetched. */
  hiding: number;
}

/** Looks through the service's emails, newest first, for those that match. */
export function findEmails(
  context: Pick<Context, 'call' | 'notes' | 'progress'>,
  query: EmailQuery,
  { most, mostScanned }: SearchLimits,
) {
  const { pages: all } = emailPages(context, query.filter, {
    size: limits.emailsPerPage.max,
    all: true,
    // A run's emails may all be found before the last page.
    everyPage: query.run === undefined && Math.min(most, mostScanned) === Number.POSITIVE_INFINITY,
  });
  const search: Search = { scanned: 0, found: 0, cutBy: undefined, total: undefined, hiding: 0 };

  async function* ofPage(rows: readonly EmailListItem[]): AsyncGenerator<ListPage<FoundEmail>> {
    for (let left = rows; left.length > 0; ) {
      const next = left.slice(0, most - search.found);
      if (next.length === 0) {
        search.cutBy = 'found';
        return;
      }
      left = left.slice(next.length);
      const wanted = query.events
        ? wantedOf(await withLastEvents(context, next, query.trouble), query)
        : next;
      search.found += wanted.length;
      yield { rows: wanted };
    }
  }

  async function* pages(): AsyncGenerator<ListPage<FoundEmail>> {
    const pages = all[Symbol.asyncIterator]();
    for (;;) {
      const so = `Looked through ${quantity(search.scanned, 'email')}, found ${search.found}`;
      const next = await context.progress.during(so, () => pages.next());
      if (next.done === true) return;
      search.total = totalCount(next.value.rest);
      // Some services count only the emails of a page, which then seems to be the last one.
      const isEnough = search.found >= most;
      if (search.scanned >= mostScanned || isEnough) {
        if (next.value.rows.length > 0) search.cutBy = isEnough ? 'found' : 'scanned';
        return;
      }
      const rows = next.value.rows.slice(0, mostScanned - search.scanned);
      refuseWithoutStatus(query, rows);
      search.scanned += rows.length;
      const matching = candidates(rows, query);
      if (!query.events && query.mayHide) search.hiding += rows.filter(query.mayHide).length;
      // The header of a table comes with the first page, also with an empty one.
      if (matching.length === 0) yield { rows: [] };
      yield* ofPage(matching);
      if (search.cutBy !== undefined || isComplete(query, search.found)) return;
      const isEnd = search.scanned >= (search.total ?? Number.POSITIVE_INFINITY);
      if (!isEnd && search.found >= most) search.cutBy = 'found';
      else if (!isEnd && search.scanned >= mostScanned) search.cutBy = 'scanned';
      if (search.cutBy !== undefined) return;
    }
  }

  return { pages: pages(), search };
}

/** Whether all emails of the run are found, so that no further page has any. */
function isComplete({ run }: EmailQuery, found: number): boolean {
  return run !== undefined && found >= run.ids.size;
}

/** Emails that match as they are listed or, if their histories are fetched, perhaps by these. */
export function candidates(
  rows: readonly EmailListItem[],
  { matches, mayHide, events }: Pick<EmailQuery, 'matches' | 'mayHide' | 'events'>,
): readonly EmailListItem[] {
  if (matches === undefined) return rows;
  const mayMatch = events ? mayHide : undefined;
  return rows.filter((row) => matches(row) || mayMatch?.(row) === true);
}

/** Those that have the wanted trouble, or match in another way. */
export function wantedOf<Row extends EmailListItem>(
  examined: readonly ExaminedHistory<Row>[],
  { matches, trouble }: EmailQuery,
): ExaminedHistory<Row>['email'][] {
  const isWanted = ({ email, isTroubled }: ExaminedHistory<Row>) => {
    if (trouble === undefined || isTroubled) return true;
    const isOtherBounce = trouble.bounce !== undefined && email.latestStatus === 'BOUNCED';
    return !isOtherBounce && matches?.(email) !== false;
  };
  return examined.filter(isWanted).map(({ email }) => email);
}

/** Throws a `NotOfferedError` if the status of emails is to be filtered and the list does not have it. */
export function refuseWithoutStatus(
  { needsStatus }: EmailQuery,
  rows: readonly EmailListItem[],
): void {
  if (!needsStatus || rows.length === 0) return;
  if (rows.some((row) => row.latestStatus !== undefined)) return;
  throw new NotOfferedError('The email list of this service does not report statuses.', {
    hint: 'To see the events of one email: mailer email get ID',
  });
}
