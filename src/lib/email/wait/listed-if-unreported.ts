import type { Email, EmailListItem } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { MailerError } from '../../errors.ts';
import { isJson } from '../../output/format.ts';
import { lacksCopies, listedEmail } from '../copies.ts';

/** Milliseconds for the requests, retries included: their outcome is only an addition. */
const patience = 3000;

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
  try {
    const deadline = context.system.monotonic() + patience;
    return await listedEmail(context, email, { deadline });
  } catch (error) {
    if (error instanceof MailerError) return undefined;
    throw error;
  }
}
