import type { Context } from '../../../command-line/command/context.ts';
import { scheduledInWords } from '../../../command-line/command/flags/scheduled-time.ts';
import { rememberLastCreated } from '../../../command-line/command/names/last-made.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { warnUnrecorded } from '../../../command-line/command/repeat-command.ts';
import { done, type Result } from '../../../command-line/output/result.ts';
import type { ExaminedEmail } from '../../../service/policy/email-under.ts';
import { sentBy } from '../recipients.ts';
import { showEmail } from '../show-email.ts';
import { waitForSent } from '../wait/wait.ts';
import type { EmailWait } from '../wait/wait-flags.ts';
import type { SendRequest } from '../write/send-body.ts';
import { sendAsRegistered } from './send-as-registered.ts';

interface Sending {
  /** The given key; undefined for a new one. */
  readonly idempotencyKey: string | undefined;
  /** The digest that the request must match. */
  readonly expect?: string | undefined;
  readonly wait: EmailWait | undefined;
  /** What the policy makes of the email. */
  readonly examined: ExaminedEmail;
}

/** Sends an email, and waits for it if requested. Throws like `sendAsRegistered`. */
export async function sendAndShow(
  context: Context,
  request: SendRequest,
  { idempotencyKey, expect, wait, examined }: Sending,
): Promise<Result> {
  const { body } = request;
  const unrecorded = warnUnrecorded(context);
  const reply = await sendAsRegistered(context, request, { idempotencyKey, expect, unrecorded });
  await rememberLastCreated(context, 'email', reply.emailId);
  if (wait !== undefined) {
    const sent = { id: reply.emailId, ...sentBy(examined.email) };
    const { email, failure } = await waitForSent(context, sent, wait);
    const ids = [sent.id];
    if (email === undefined) return done({ reply, ids, message: '', failure });
    return { ...showEmail(email), carriedOut: { ids }, failure };
  }
  return done({
    reply,
    ids: [reply.emailId],
    message:
      body.scheduledAt === undefined
        ? `Accepted. Check its status: ${nextCommand(context, 'email', 'get', reply.emailId)}`
        : await scheduledInWords(body.scheduledAt, context),
  });
}
