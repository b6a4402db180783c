import { limits } from '../../../api/limits.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { type ListPage, type ListResult, list } from '../../command-line/output/result.ts';
import type { FoundEmail } from '../../mail/email/last-event.ts';
import type { EmailQuery } from './email-query.ts';
import { findEmails, type Search } from './find-emails.ts';
import { type FindFlags, usuallyScanned } from './find-flags.ts';
import { foundColumns, listedColumns } from './found-columns.ts';

interface FoundListOptions extends Pick<FindFlags, 'since' | 'run' | 'campaign'> {
  readonly limit?: number | undefined;
  readonly all?: true | undefined;
  readonly maxScanned?: number | undefined;
}

/** The emails that match a query whose filters are applied here. */
export function foundList(
  context: Context,
  query: EmailQuery,
  { limit, all, since, run, campaign, maxScanned }: FoundListOptions,
): ListResult {
  const isBounded = all === true || [since, run, campaign].some((one) => one !== undefined);
  const { pages: found, search } = findEmails(context, query, {
    most: limit ?? (all === true ? Number.POSITIVE_INFINITY : limits.emailsPerPage.default),
    mostScanned: maxScanned ?? (isBounded ? Number.POSITIVE_INFINITY : usuallyScanned),
  });
  const untold: string[] = [];
  async function* pages(): AsyncGenerator<ListPage<FoundEmail>> {
    for await (const page of found) {
      untold.push(...page.rows.filter(({ affected }) => affected === null).map(({ id }) => id));
      yield page;
    }
    // In every format, because a result that was cut looks like a complete one.
    if (search.cutBy === 'scanned') context.notes.warn(scannedInWords(search));
    else context.notes.say(scannedInWords(search));
    const several = search.hiding;
    if (several > 0) {
      context.notes.say(
        `${quantity(several, 'email')} to several people may have failed for some of them. To look at ${several === 1 ? 'it' : 'each'}: --events`,
      );
    }
    if (untold.length > 0) {
      context.notes.warn(
        `The service does not tell for which recipients ${quantity(untold.length, 'email')} failed: ${withOverflowCount(untold.slice(0, maxNames), untold.length).join(', ')}`,
      );
    }
  }
  return list<FoundEmail>({
    pages: pages(),
    joinPages: true,
    rowsIn: 'data',
    afterRows: () => ({ count: search.found }),
    columns: query.events ? [...listedColumns, ...foundColumns] : listedColumns,
    id: ({ id }) => id,
    empty: 'No emails match.',
  });
}

/** How far a search went, and how to go on. */
function scannedInWords({ scanned, found, total = 0, cutBy }: Search): string {
  const of = total <= scanned ? '' : ` of ${grouped(total)}`;
  const looked = `Looked through ${of === '' ? '' : 'the newest '}${grouped(scanned)}${of} emails: ${found} ${found === 1 ? 'matches' : 'match'}.`;
  switch (cutBy) {
    case 'found':
      return `${quantity(found, 'email')} shown; there may be more: use --all or a higher --limit.`;
    case 'scanned':
      return `${looked} To look further: --since, --all, or a higher --max-scanned.`;
    default:
      return looked;
  }
}
