import type { SendBody } from '../../api/email.ts';
import { type MailerError, withHint } from '../errors.ts';
import { missingTemplate, templateAlone } from './missing-template.ts';

/** The error of a send that was not accepted, with a hint where its email shows what may be wrong. */
export function explainRefusal(error: MailerError, body: SendBody): MailerError {
  const { status, request, hint = [] } = error.details;
  const alone = templateAlone(error.details, [body]);
  if (alone !== undefined) return withHint(error, alone);
  // If a template does not exist and there is no subject, live servers respond with 500 and no more.
  if (error.code !== 'unavailable' || status !== 500 || request?.mayBeOfProxy) return error;
  const template = missingTemplate([body]);
  return withHint(error, template && [template, hint].flat().join(' '));
}
