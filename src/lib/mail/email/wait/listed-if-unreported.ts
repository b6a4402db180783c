import type { Email, EmailListItem } from '../../../../api/email.ts';
import { bestEffort } from '../../../command-line/command/best-effort.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { isJson } from '../../../command-line/output/format.ts';
import { lacksCopies, listedEmail } from '../copies.ts';

/**
 * An email without events, or without copies that are wanted, as the list shows it: with its status and scheduled time. Undefined if only the
 * response is shown, or the list cannot be fetched.
 */
export async function listedIfUnreported(
  context: Context,
  email: Email,
): Promise<EmailListItem | undefined> {
  const format = context.format();
  const isShown = context.flags.fields !== undefined || !(isJson(format) || format === 'quiet');
  // A person sees copies without asking for them; a script pays for the request only if it does.
  const asks =
    context.flags.fields?.some((field) => /^(b?cc|replyTo)$/.test(field)) ??
    context.system.stdout.isTTY === true;
  const wantsCopies = asks && !isJson(format) && lacksCopies(email);
  if (!isShown || (email.emailEvents.length > 0 && !wantsCopies)) return undefined;
  return await bestEffort(context, (within) => listedEmail(context, email, within));
}
