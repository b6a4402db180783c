import { limits } from '../../../api/limits.ts';
import type { Context } from '../../command-line/command/context.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import { type ListPage, type ListResult, list } from '../../command-line/output/result.ts';
import { type FoundEmail, withLastEvents } from '../../mail/email/last-event.ts';
import { totalCount } from '../../mail/email/period.ts';
import { emailPages } from './email-pages.ts';
import type { EmailQuery } from './email-query.ts';
import { foundColumns, listedColumns } from './found-columns.ts';

interface PageListOptions {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
}

/** The emails of a page of the service, or of all, which the service filters. */
export function pageList(
  context: Context,
  query: EmailQuery,
  { page: first = 1, limit, all = false }: PageListOptions,
): ListResult {
  const full = limit ?? limits.emailsPerPage.default;
  const size = all ? full : limit;
  const { pages, reachedSince } = emailPages(context, query.filter, { first, size, all });
  async function* withEvents(): AsyncGenerator<ListPage<FoundEmail>> {
    for await (const page of pages) {
      const found = await withLastEvents(context, page.rows, undefined);
      yield { ...page, rows: found.map(({ email }) => email) };
    }
  }
  return list<FoundEmail>({
    pages: query.events ? withEvents() : pages,
    joinPages: all,
    rowsIn: 'data',
    columns: query.events ? [...listedColumns, ...foundColumns] : listedColumns,
    id: ({ id }) => id,
    empty: (page) => pastTheEnd(page, first, full) ?? 'No emails.',
    note: (page) => (all || reachedSince() ? undefined : pageNote(page, first, full)),
  });
}

/** Says that the page does not exist, if it has no rows and the service counts emails. */
function pastTheEnd(page: ListPage<FoundEmail> | undefined, number: number, limit: number) {
  const count = totalCount(page?.rest);
  if (!count || count > (number - 1) * limit) return undefined;
  const last = Math.ceil(count / limit);
  return `Page ${number} is past the end: ${countAt(page?.rest, 'count')} ${count === 1 ? 'email' : 'emails'}, last page ${last}.`;
}

function pageNote({ rest, rows }: ListPage<FoundEmail>, page: number, limit: number) {
  const count = totalCount(rest);
  if (count === undefined || count <= (page - 1) * limit + rows.length) return undefined;
  return `${rows.length} of ${countAt(rest, 'count')}. Next: --page ${page + 1}, or --all`;
}
