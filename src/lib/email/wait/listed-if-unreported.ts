import type { Email, EmailListItem } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { MailerError } from '../../errors.ts';
import { isJson } from '../../output/format.ts';
import { listedEmail } from '../copies.ts';

/** Milliseconds for the requests, their repetitions included: without them there is less to show. */
const patience = 3000;

/**
 * An email of which nothing has been reported yet, as the list has it: with its status and the time for
 * which it is scheduled. Undefined where only the response is shown, or the list cannot be fetched.
 */
export async function listedIfUnreported(
  context: Context,
  email: Email,
): Promise<EmailListItem | undefined> {
  const format = context.format();
  const isShown = context.flags.fields !== undefined || !(isJson(format) || format === 'quiet');
  if (!isShown || email.emailEvents.length > 0) return undefined;
  try {
    const deadline = context.system.monotonic() + patience;
    return await listedEmail(context, email, { deadline });
  } catch (error) {
    if (error instanceof MailerError) return undefined;
    throw error;
  }
}
