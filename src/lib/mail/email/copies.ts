import type { Email, EmailListItem } from '../../../api/email.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { findListed } from '../../service/http/find-listed.ts';

/** Fields of an email that only the list shows: the recipients of copies, and its scheduled time. */
export interface Copies extends Pick<Email, 'cc' | 'bcc'> {
  /** ISO 8601; absent once it is sent. */
  readonly scheduledAt?: string;
}

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

/** An email as listed; undefined if it is not listed. */
export async function listedEmail(
  { call }: Pick<Context, 'call'>,
  email: Pick<Email, 'id' | 'createdAt'>,
  options: CallOptions,
): Promise<EmailListItem | undefined> {
  return await findListed((input) => call('email.list', input, options), email);
}

function copiesIn({ cc, bcc, latestStatus, scheduledAt }: EmailListItem): Copies {
  const isWaiting = latestStatus === 'SCHEDULED' && typeof scheduledAt === 'string';
  return { cc, bcc, ...(isWaiting && { scheduledAt }) };
}
