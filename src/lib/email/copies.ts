import type { Email, EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import type { CallOptions } from '../client.ts';
import type { Context } from '../context.ts';

/** The recipients of copies, as a reply names them. */
export type Copies = Pick<Email, 'cc' | 'bcc'>;

/** Pages of the list to read at most, where many emails were created in the same millisecond. */
const mostPages = 4;

/** Whether a response leaves out the copies of an email, as that of live servers for one email does. */
export function lacksCopies({ cc, bcc }: Copies): boolean {
  return cc === undefined && bcc === undefined;
}

/**
 * The copies of an email, from the list of emails; nothing where the list does not have the email. The
 * list is newest first, so it is asked for emails up to the email's own creation time.
 */
export async function listedCopies(
  { call }: Pick<Context, 'call'>,
  { id, createdAt }: Pick<Email, 'id' | 'createdAt'>,
  options: CallOptions,
): Promise<Copies> {
  const created = Date.parse(createdAt ?? '');
  const bound = Number.isNaN(created) ? {} : { endDate: new Date(created + 1).toISOString() };
  const isOlder = (one: EmailListItem) => Date.parse(one.createdAt ?? '') < created;
  const limit = limits.emailsPerPage.max;
  for (let page = 1; page <= mostPages; page++) {
    const { data } = await call('email.list', { query: { page, limit, ...bound } }, options);
    const listed = data.find((one) => one.id === id);
    if (listed !== undefined) return { cc: listed.cc, bcc: listed.bcc };
    if (data.length < limit || data.some(isOlder)) return {};
  }
  return {};
}
