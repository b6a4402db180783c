import { problemOf, RejectedError, toError } from '../../base/errors.ts';
import { formatInstant } from '../../base/text/local-time.ts';
import { bestEffort } from '../../command-line/command/best-effort.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { listedEmail } from './copies.ts';
import { inOrder, latestStatus } from './events.ts';

/**
 * Explains why the service did not cancel or reschedule an email: the error to throw, and the email's
 * status. Returns the given error without a status if the email's status is not the reason.
 */
export async function explainRejected(error: unknown, context: Context, emailId: string) {
  if (!(error instanceof RejectedError)) return { error };
  const { status: code, issues, request } = error.details;
  if (code !== 400 || issues !== undefined || request?.mayBeOfProxy) return { error };
  const { status, since } = (await reached(context, emailId)) ?? {};
  if (status === undefined || status === 'SCHEDULED') return { error };
  const date = new Date(since ?? '');
  const isKnown = !Number.isNaN(date.getTime());
  const when = isKnown ? ` since ${formatInstant(date, await context.timeZone())}` : '';
  const message = `The email is no longer scheduled. Its status is ${status}${when}.`;
  const hint = `To see its history: ${nextCommand(context, 'email', 'get', emailId)}`;
  return { status, error: toError({ ...problemOf(error), message, hint }) };
}

/**
 * The status by an email's events, with the time of the first such event, or, before there are any, by the list.
 * Undefined if neither can be fetched or shows a status.
 */
async function reached(context: Context, emailId: string) {
  return await bestEffort(context, async (options) => {
    const email = await context.call('email.get', { params: { emailId } }, options);
    const status = latestStatus(email.emailEvents);
    if (status !== undefined) {
      const first = inOrder(email.emailEvents).find((event) => event.status === status);
      return { status, since: first?.createdAt };
    }
    const { latestStatus: listed } = (await listedEmail(context, email, options)) ?? {};
    return typeof listed === 'string' ? { status: listed, since: undefined } : undefined;
  });
}
