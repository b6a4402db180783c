import { limits } from '../../api/limits.ts';
import type { Context } from '../command/context.ts';
import type { FoundEmail } from '../email/last-event.ts';
import { type ListPage, type ListResult, list } from '../output/result.ts';
import { grouped, quantity } from '../text/quantity.ts';
import type { EmailQuery } from './email-query.ts';
import { type EmailSearch, findEmails } from './find-emails.ts';
import { usuallyScanned } from './find-flags.ts';
import { eventColumns, listedColumns } from './found-columns.ts';

interface FoundListOptions {
  readonly limit?: number | undefined;
  readonly all?: true | undefined;
  readonly since?: string | undefined;
  readonly run?: string | undefined;
  readonly maxScanned?: number | undefined;
}

/** The emails that match a query whose filters are applied here. */
export function foundList(
  context: Context,
  query: EmailQuery,
  { limit, all, since, run, maxScanned }: FoundListOptions,
): ListResult {
  const isBounded = all === true || since !== undefined || run !== undefined;
  const search = findEmails(context, query, {
    most: limit ?? (all === true ? Number.POSITIVE_INFINITY : limits.emailsPerPage.default),
    mostScanned: maxScanned ?? (isBounded ? Number.POSITIVE_INFINITY : usuallyScanned),
  });
  async function* pages(): AsyncGenerator<ListPage<FoundEmail>> {
    yield* search.pages;
    // In every format, because a result that was cut looks like a complete one.
    if (search.cutBy() === 'scanned') context.notes.warn(scannedInWords(search));
    else context.notes.say(scannedInWords(search));
  }
  return list<FoundEmail>({
    pages: pages(),
    joinPages: true,
    rowsIn: 'data',
    afterRows: () => ({ count: search.found() }),
    columns: query.events ? [...listedColumns, ...eventColumns] : listedColumns,
    id: ({ id }) => id,
    empty: 'No emails match.',
  });
}

/** How far a search went, and how to go on. */
function scannedInWords({ scanned, found, total, cutBy }: EmailSearch): string {
  const all = total();
  const of = all === undefined || all <= scanned() ? '' : ` of ${grouped(all)}`;
  const looked = `Looked through ${of === '' ? '' : 'the newest '}${grouped(scanned())}${of} emails: ${found()} ${found() === 1 ? 'matches' : 'match'}.`;
  switch (cutBy()) {
    case 'found':
      return `${quantity(found(), 'email')} shown; there may be more: use --all or a higher --limit.`;
    case 'scanned':
      return `${looked} To look further: --since, --all, or a higher --max-scanned.`;
    default:
      return looked;
  }
}
