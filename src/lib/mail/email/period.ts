import type { EmailListItem } from '../../../api/email.ts';
import type { Input, Reply } from '../../../api/operations.ts';
import { RejectedError, when } from '../../base/errors.ts';
import { exactFields } from '../../base/json/exact-numbers.ts';
import type { Context } from '../../command-line/command/context.ts';
import { isObject } from '../../command-line/output/fields.ts';
import type { ListPage } from '../../command-line/output/result.ts';

/** Filters for emails: bounds of the creation time, in UTC, and domains. */
export type EmailFilter = Pick<
  NonNullable<Input<'email.list'>['query']>,
  'startDate' | 'endDate' | 'domainId'
>;

type ListReply = Reply<'email.list'>;

/**
 * Returns a function that removes older emails from a page's rows and `count`: live servers ignore the
 * start of a period that also has an end.
 */
export function withinPeriod(
  context: Pick<Context, 'call'>,
  filter: EmailFilter,
): (reply: ListReply) => Promise<ListPage<EmailListItem>> {
  const { startDate, endDate } = filter;
  if (startDate === undefined || endDate === undefined) {
    return async (reply) => ({ rows: reply.data, rest: reply });
  }
  const start = Date.parse(startDate);
  let older: Promise<number> | undefined;
  const countWithin = async (count: number, { length: all }: readonly unknown[], kept: number) => {
    if (count <= all) return kept;
    older ??= countOlder(context, filter, start);
    return Math.max(count - (await older), kept);
  };
  return async (reply) => {
    // An email without a readable time is kept.
    const rows = reply.data.filter(({ createdAt }) => !(Date.parse(createdAt ?? '') < start));
    const total = totalCount(reply);
    const count = total && (await countWithin(total, reply.data, rows.length));
    return { rows, rest: count === total ? reply : { ...exactFields(reply), count } };
  };
}

/** The total number of matching emails, if the service reports it. */
export function totalCount(reply: unknown): number | undefined {
  return isObject(reply) && typeof reply.count === 'number' ? reply.count : undefined;
}

/** How many older emails the service counts. A service that respects the start finds none, or rejects this. */
async function countOlder(
  { call }: Pick<Context, 'call'>,
  filter: EmailFilter,
  start: number,
): Promise<number> {
  const endDate = new Date(start - 1).toISOString();
  const listed = call('email.list', { query: { page: 1, limit: 1, ...filter, endDate } });
  return totalCount(await listed.catch(when(RejectedError, () => undefined))) ?? 0;
}
