import type { Email, EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import type { CallOptions } from '../client.ts';
import type { Context } from '../context.ts';

/** The recipients of copies, as a reply names them. */
export type Copies = Pick<Email, 'cc' | 'bcc'>;

/** Pages to look through at most: so many emails that were created together are told apart. */
const mostPages = 4;

/** Whether an email says nothing of its copies, as live servers do when they are asked for one. */
export function lacksCopies({ cc, bcc }: Copies): boolean {
  return cc === undefined && bcc === undefined;
}

/**
 * The copies of an email as the list has them; nothing where it does not hold the email. The list
 * has the newest first, so it is asked for what was created up to then, as the email says.
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
