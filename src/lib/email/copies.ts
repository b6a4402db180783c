import type { Email, EmailListItem } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import type { Context } from '../command/context.ts';
import type { CallOptions } from '../http/client.ts';

/** What only the list has of an email: the recipients of copies, and when it is scheduled. */
export interface Copies extends Pick<Email, 'cc' | 'bcc'> {
  /** ISO 8601; absent once it was sent. */
  readonly scheduledAt?: string;
}

/** Pages of the list to read at most, where many emails were created in the same millisecond. */
const mostPages = 4;

/** Whether a response omits the copies of an email, as that of live servers for one email does. */
export function lacksCopies({ cc, bcc }: Pick<Email, 'cc' | 'bcc'>): boolean {
  return cc === undefined && bcc === undefined;
}

/** The copies of an email, from the list; nothing where that lacks the email. */
export async function listedCopies(
  context: Pick<Context, 'call'>,
  email: Pick<Email, 'id' | 'createdAt'>,
  options: CallOptions,
): Promise<Copies> {
  const listed = await listedEmail(context, email, options);
  return listed === undefined ? {} : copiesIn(listed);
}

/** An email as the list up to its creation time has it; undefined where that lacks the email. */
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
