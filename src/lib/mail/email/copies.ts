import type { Email, EmailListItem } from '../../../api/email.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { findListed } from '../../service/http/find-listed.ts';

/** Whether a reply omits the copies of an email, as live servers do for a single email. */
export function lacksCopies({ cc, bcc }: Pick<Email, 'cc' | 'bcc'>): boolean {
  return cc === undefined && bcc === undefined;
}

/** An email as listed; undefined if it is not listed. */
export async function listedEmail(
  { call }: Pick<Context, 'call'>,
  email: Pick<Email, 'id' | 'createdAt'>,
  options: CallOptions,
): Promise<EmailListItem | undefined> {
  return await findListed((input) => call('email.list', input, options), email);
}
