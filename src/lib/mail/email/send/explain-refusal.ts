import type { SendBody } from '../../../../api/email.ts';
import { isPlainRejection, type MailerError, problemOf, withHint } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { senderFinding } from '../../../command-line/command/names/sender-domain.ts';
import { missingTemplate, templateAlone } from './missing-template.ts';

/**
 * The error of a rejected send, with a hint if the email suggests the cause. If the cause is the spelling of
 * the sender's domain, also returns the sender as registered.
 */
export async function explainRefusal(error: MailerError, context: Context, body: SendBody) {
  const { status, request, hint = [] } = error.details;
  const alone = templateAlone(error.details, [body]);
  if (alone !== undefined) return { error: withHint(error, alone) };
  const problem = problemOf(error);
  if (isPlainRejection(problem)) {
    const finding = await senderFinding(context, [body.from]);
    return { error: withHint(error, finding?.hint), sender: finding?.registered };
  }
  if (error.code === 'conflict') {
    // The key may belong to this same email, sent earlier with the registered sender.
    return { error, sender: (await senderFinding(context, [body.from]))?.registered };
  }
  // Without a subject, a template that does not exist makes live servers respond with 500, without a reason.
  if (error.code !== 'unavailable' || status !== 500 || request?.mayBeOfProxy) return { error };
  const template = missingTemplate([body]);
  return { error: withHint(error, template && [template, hint].flat().join(' ')) };
}
