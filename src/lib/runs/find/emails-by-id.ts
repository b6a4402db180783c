import type { Email } from '../../../api/email.ts';
import { NotFoundError, PartialError, when } from '../../base/errors.ts';
import { quantity } from '../../base/text/quantity.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { cellIn } from '../../command-line/output/cells.ts';
import {
  type Column,
  type ListPage,
  type ListResult,
  list,
  status,
  time,
} from '../../command-line/output/result.ts';
import { inParallel } from '../../mail/email/in-parallel.ts';
import { lastEventOf } from '../../mail/email/last-event.ts';
import { inGroups } from '../../people/rows/in-groups.ts';
import { eventColumns } from './found-columns.ts';

/** Emails that are fetched before they are shown. */
const perPage = 50;

const columns: readonly Column<Email>[] = [
  { field: 'id', header: 'Id' },
  {
    ...{ field: 'latestStatus', header: 'Status', computed: true },
    cell: (email) => status(lastEventOf(email.emailEvents).lastEvent),
  },
  { field: 'to', header: 'To', flexible: true },
  { field: 'subject', header: 'Subject', flexible: true },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
  ...eventColumns.map(
    ({ onlyFor: _, ...column }): Column<Email> => ({
      ...column,
      computed: true,
      cell: ({ emailEvents }) => cellIn(column, lastEventOf(emailEvents)),
    }),
  ),
];

/**
 * The emails of these ids, in this order. Those that do not exist are named in a `PartialError`, or in a
 * `NotFoundError` if none exists.
 */
export function emailsById(
  context: Context,
  ids: AsyncIterable<string> | Iterable<string>,
): ListResult {
  const missing: string[] = [];
  let found = 0;

  const fetch = async (emailId: string): Promise<Email[]> => {
    const asked = context.call('email.get', { params: { emailId } });
    const email = await asked.catch(when(NotFoundError, () => void missing.push(emailId)));
    return email ? [email] : [];
  };

  async function* pages(): AsyncGenerator<ListPage<Email>> {
    for await (const some of inGroups(ids, perPage)) {
      const so = `Fetched ${quantity(found, 'email')}`;
      const rows = await context.progress.during(so, () => inParallel(some, fetch));
      found += rows.flat().length;
      if (found > 0) yield { rows: rows.flat() };
    }
    if (found === 0 && missing.length > 0) {
      throw new NotFoundError(`There are no such emails: ${named(missing)}`);
    }
  }

  return list<Email>({
    pages: pages(),
    joinPages: true,
    columns,
    id: ({ id }) => id,
    empty: 'No ids.',
    failure: () =>
      missing.length === 0
        ? undefined
        : new PartialError(
            `${missing.length} of ${quantity(found + missing.length, 'email')} do not exist: ${named(missing)}`,
          ),
  });
}

function named(ids: readonly string[]): string {
  return withOverflowCount(ids.slice(0, maxNames), ids.length).join(', ');
}
