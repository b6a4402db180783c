import type { EmailListItem } from '../../../api/email.ts';
import { limits } from '../../../api/limits.ts';
import type { Context } from '../../command-line/command/context.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import {
  allPages,
  moreByCount,
  onePage,
  type PagingProgress,
} from '../../command-line/output/paging.ts';
import type { ListPage } from '../../command-line/output/result.ts';
import { type EmailFilter, totalCount, withinPeriod } from '../../mail/email/period.ts';

interface PageOptions {
  /** The first page, from 1. */
  readonly first?: number;
  /** Emails per page; the service's usual number if it need not be known. */
  readonly size: number | undefined;
  /** Whether all pages from the first one are wanted. */
  readonly all: boolean;
  /** Whether the rows of every page are used, so that the next one may be requested meanwhile. */
  readonly everyPage?: boolean;
}

/** The service's list of emails, page by page as they arrive; without those that are older than a period. */
export function emailPages(
  context: Pick<Context, 'call' | 'notes'>,
  filter: EmailFilter,
  { first = 1, size, all, everyPage = false }: PageOptions,
) {
  const full = size ?? limits.emailsPerPage.default;
  // The requested pages fit together only if all have the same, known size.
  const limit = size === undefined ? {} : { limit: size };
  const within = withinPeriod(context, filter);
  let reachedSince = false;
  const fetch = async (page: number): Promise<ListPage<EmailListItem>> => {
    const reply = await context.call('email.list', { query: { page, ...limit, ...filter } });
    const result = await within(reply);
    // Emails come newest first, so all that follow are older still.
    reachedSince ||= result.rows.length < reply.data.length;
    return result;
  };
  const count = ({ rest }: ListPage<EmailListItem>) => totalCount(rest);
  const more = (result: ListPage<EmailListItem>, _page: number, progress: PagingProgress) => {
    if (reachedSince) return false;
    const rows = result.rows.length;
    const total = count(result);
    if (total === undefined) return rows >= full;
    if (rows === 0 && progress.received < total) {
      context.notes.warn(
        `The service counts ${countAt(result.rest, 'count')} emails, but its pages end after ${progress.received}: the list may be incomplete.`,
      );
    }
    return moreByCount(total, { rows, full }, progress);
  };
  const id = ({ id }: EmailListItem) => id;
  return {
    pages: all ? allPages({ first, fetch, more, id, count, everyPage }) : onePage(fetch, first),
    /** Whether a page had emails older than the start of the period, so that no further page has any. */
    reachedSince: () => reachedSince,
  };
}
