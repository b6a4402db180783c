import type { SendBody } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { mayBeSender, senderFinding } from '../../command/names/sender-domain.ts';
import { type MailerError, problemOf, withHint } from '../../errors.ts';
import { missingTemplate, templateAlone } from './missing-template.ts';

/**
 * The error of a send that was not accepted, with a hint where its email shows what may be wrong, and the
 * sender with which it would be accepted, if that is why.
 */
export async function explainRefusal(
  error: MailerError,
  context: Context,
  body: SendBody,
): Promise<{ readonly error: MailerError; readonly sender?: string | undefined }> {
  const { status, request, hint = [] } = error.details;
  const alone = templateAlone(error.details, [body]);
  if (alone !== undefined) return { error: withHint(error, alone) };
  const problem = problemOf(error);
  if (mayBeSender(problem)) {
    const finding = await senderFinding(context, [body.from]);
    return { error: withHint(error, finding?.hint), sender: finding?.registered };
  }
  if (error.code === 'conflict') {
    // The key may be that of this email, which was sent as registered.
    return { error, sender: (await senderFinding(context, [body.from]))?.registered };
  }
  // If a template does not exist and there is no subject, live servers respond with 500 and no more.
  if (error.code !== 'unavailable' || status !== 500 || request?.mayBeOfProxy) return { error };
  const template = missingTemplate([body]);
  return { error: withHint(error, template && [template, hint].flat().join(' ')) };
}
