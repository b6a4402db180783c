import type { Email, EmailListItem } from '../../../api/email.ts';
import { limits } from '../../../api/limits.ts';
import type { Input, Reply } from '../../../api/operations.ts';

/** The most pages to read when many emails were created in the same millisecond. */
const mostPages = 4;

/**
 * An email as the list has it, which shows more than the email itself, found by its creation time; undefined if it is
 * not listed.
 */
export async function findListed(
  list: (input: Input<'email.list'>) => Promise<Reply<'email.list'>>,
  { id, createdAt }: Pick<Email, 'id' | 'createdAt'>,
): Promise<EmailListItem | undefined> {
  const created = Date.parse(createdAt ?? '');
  const bound = Number.isNaN(created) ? {} : { endDate: new Date(created + 1).toISOString() };
  const isOlder = (one: EmailListItem) => Date.parse(one.createdAt ?? '') < created;
  const limit = limits.emailsPerPage.max;
  for (let page = 1; page <= mostPages; page++) {
    const { data } = await list({ query: { page, limit, ...bound } });
    const listed = data.find((one) => one.id === id);
    if (listed !== undefined) return listed;
    if (data.length < limit || data.some(isOlder)) return undefined;
  }
  return undefined;
}
