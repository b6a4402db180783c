import type { Email, EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import type { Context } from '../command/context.ts';
import type { CallOptions } from '../http/client.ts';

/** Fields of an email that only the list shows: the recipients of copies, and its scheduled time. */
export interface Copies extends Pick<Email, 'cc' | 'bcc'> {
  /** ISO 8601; absent once it is sent. */
  readonly scheduledAt?: string;
}

/** The most pages to read when many emails were created in the same millisecond. */
const mostPages = 4;

/** Whether a reply omits the copies of an email, as live servers do for a single email. */
export function lacksCopies({ cc, bcc }: Pick<Email, 'cc' | 'bcc'>): boolean {
  return cc === undefined && bcc === undefined;
}

/** The copies of an email, from the list; empty if the email is not listed. */
export async function listedCopies(
  context: Pick<Context, 'call'>,
  email: Pick<Email, 'id' | 'createdAt'>,
  options: CallOptions,
): Promise<Copies> {
  const listed = await listedEmail(context, email, options);
  return listed === undefined ? {} : copiesIn(listed);
}

/** An email as listed, found by its creation time; undefined if it is not listed. */
export async function listedEmail(
  { call }: Pick<Context, 'call'>,
  { id, createdAt }: Pick<Email, 'id' | 'createdAt'>,
  options: CallOptions,
): Promise<EmailListItem | undefined> {
  const created = Date.parse(createdAt ?? '');
  const bound = Number.isNaN(created) ? {} : { endDate: new Date(created + 1).toISOString() };
  const isOlder = (one: EmailListItem) => Date.parse(one.createdAt ?? '') < created;
  const limit = limits.emailsPerPage.max;
  for (let page = 1; page <= mostPages; page++) {
    const { data } = await call('email.list', { query: { page, limit, ...bound } }, options);
    const listed = data.find((one) => one.id === id);
    if (listed !== undefined) return listed;
    if (data.length < limit || data.some(isOlder)) return undefined;
  }
  return undefined;
}

function copiesIn({ cc, bcc, latestStatus, scheduledAt }: EmailListItem): Copies {
  const isWaiting = latestStatus === 'SCHEDULED' && typeof scheduledAt === 'string';
  return { cc, bcc, ...(isWaiting && { scheduledAt }) };
}
