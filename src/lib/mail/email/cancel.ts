import type * as z from 'zod';
import {
  MailerError,
  NotFoundError,
  PartialError,
  problemOf,
  RejectedError,
  toError,
  withHint,
} from '../../base/errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { checkPlan } from '../../command-line/command/plan-of.ts';
import { done, type Result } from '../../command-line/output/result.ts';
import type { cancelledList } from './cancelled-list.ts';
import { explainRejected } from './no-longer-scheduled.ts';

/** Cancels an email, and shows that. */
export async function cancelOne(context: Context, emailId: string): Promise<Result> {
  const { reply, error } = await cancel(context, emailId);
  if (reply === undefined) throw error;
  return done({ reply, ids: [emailId], message: `Cancelled email ${emailId}.` });
}

/**
 * Cancels one email after the other; those that cannot be cancelled are named in the error, and the others are
 * cancelled nevertheless. Any other failure ends it, and the same command continues.
 */
export async function cancelSeveral(context: Context, ids: readonly string[]): Promise<Result> {
  await checkPlan(
    context,
    ids.map((emailId) => (client) => client.call('email.cancel', { params: { emailId } })),
  );
  const reply: z.infer<typeof cancelledList> = { cancelled: [], already: [], failed: [] };
  const failures: MailerError[] = [];
  let ended: unknown;
  for (const emailId of ids) {
    const progress = `${grouped(reply.cancelled.length)} of ${quantity(ids.length, 'email')} cancelled`;
    context.report(progress, '');
    const { error, status, ...outcome } = await cancel(context, emailId);
    if (outcome.reply !== undefined) reply.cancelled.push(emailId);
    else if (status === 'CANCELLED') reply.already.push(emailId);
    else if (error instanceof RejectedError || error instanceof NotFoundError) {
      reply.failed.push({ emailId, message: error.message });
      failures.push(error);
    } else if (error instanceof MailerError) {
      const rest = `${progress}. To continue, run the same command again.`;
      ended = withHint(error, ({ details: { hint } }) => [hint, rest].filter(Boolean).join('\n'));
      break;
    } else throw error;
  }
  const { cancelled, already } = reply;
  const before = already.length > 0 ? ` ${grouped(already.length)} had been cancelled before.` : '';
  return done({
    reply,
    ids: cancelled,
    message: `Cancelled ${quantity(cancelled.length, 'email')}.${before}`,
    failure: ended instanceof MailerError ? ended : failureOf(failures, reply),
  });
}

interface Outcome {
  /** Undefined if it was not cancelled: then there is an error, and perhaps the status of the email. */
  readonly reply?: { readonly emailId: string };
  readonly error?: unknown;
  readonly status?: string;
}

/** Cancels an email. A second cancel is rejected, so after a lost response the email's status decides. */
async function cancel(context: Context, emailId: string): Promise<Outcome> {
  const look = nextCommand(context, 'email', 'get', emailId);
  const hintIfUnknown = `It may have been cancelled. Check its status: ${look}`;
  try {
    const given = { params: { emailId } };
    return { reply: await context.call('email.cancel', given, { hintIfUnknown }) };
  } catch (error) {
    const explained = await explainRejected(error, context, emailId);
    const isOpen = error instanceof MailerError && error.outcomeUnknown;
    return isOpen && explained.status === 'CANCELLED' ? { reply: { emailId } } : explained;
  }
}

function failureOf(
  failures: readonly MailerError[],
  { cancelled, already, failed }: z.infer<typeof cancelledList>,
): MailerError | undefined {
  const [first] = failures;
  if (first === undefined) return undefined;
  const lines = failed.map(({ emailId, message }) => `${emailId}: ${message}`);
  const total = cancelled.length + already.length + failed.length;
  const message = [
    `${grouped(failed.length)} of ${quantity(total, 'email')} could not be cancelled:`,
    ...withOverflowCount(lines.slice(0, maxNames), lines.length),
  ].join('\n');
  if (failed.length < total) return new PartialError(message);
  return toError({ ...problemOf(first), message, hint: undefined });
}
