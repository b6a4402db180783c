import * as z from 'zod';
import {
  dateTime,
  headers,
  mailbox,
  mailboxes,
  pathId,
  shownAddresses,
  singleLine,
  text,
  utcDateTime,
} from './fields.ts';
import { lenientObject, nullishNumber, nullishString } from './lenient.ts';
import { limits } from './limits.ts';
import { operation } from './operation.ts';

/**
 * Never a path, which a careless mail program might follow, nor with control characters, which a terminal
 * might obey.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is not allowed.
const fileName = text.regex(/^[^/\\\u0000-\u001f\u007f-\u009f]*$/, {
  error: (issue) =>
    `${JSON.stringify(issue.input)} cannot be a file name: it has a slash, backslash or control character`,
});

/** A file to attach; `content` is base64. */
export const attachment = z.strictObject({
  filename: fileName,
  content: z.base64({ error: 'must be base64' }).min(1),
});

/**
 * One email to send. `to` and `from` are required, and either a subject or a template with one. Whether a
 * template also needs `text` or `html` depends on the deployment, so the service checks that.
 */
export const sendBody = z
  .strictObject({
    to: mailboxes,
    from: mailbox,
    subject: singleLine.optional(),
    templateId: text.optional(),
    /** Values for the template's placeholders; live servers accept strings only. */
    variables: z.record(z.string(), z.unknown()).optional(),
    replyTo: mailboxes.optional(),
    cc: mailboxes.optional(),
    bcc: mailboxes.optional(),
    text: text.optional(),
    html: text.optional(),
    headers: headers.optional(),
    attachments: z.array(attachment).max(limits.attachmentsPerEmail).optional(),
    scheduledAt: dateTime.optional(),
    inReplyToId: text.optional(),
  })
  .refine((body) => body.subject !== undefined || body.templateId !== undefined, {
    path: ['subject'],
    message: 'is needed unless a template is given',
  });

/** Fields that may be null on live servers; null means the same as omitted. */
export const nullableSendFields: readonly string[] = ['text', 'html', 'inReplyToId'];

/** The fields of an email, which is not checked yet, without these nulls. */
export function withoutNulls(fields: object): Record<string, unknown> {
  const isMeant = ([field, value]: [string, unknown]) =>
    value !== null || !nullableSendFields.includes(field);
  return Object.fromEntries(Object.entries(fields).filter(isMeant));
}

export type SendBody = z.infer<typeof sendBody>;

/** The id of an email in a path. */
export const emailIdInPath = pathId.min(limits.emailIdLength.min);

const emailId = z.strictObject({ emailId: emailIdInPath });
const emailIdReply = lenientObject({ emailId: z.string().min(1) });

/** One event of an email's history. Each recipient has its own events; their order is undefined. */
const emailEvent = lenientObject({
  emailId: nullishString,
  status: z.string(),
  createdAt: z.string(),
  data: z.unknown().optional(),
});

export type EmailEvent = z.infer<typeof emailEvent>;

/** An email with its history. Times are ISO 8601 strings. */
export const email = lenientObject({
  id: z.string(),
  teamId: nullishNumber,
  to: shownAddresses,
  replyTo: shownAddresses,
  cc: shownAddresses,
  bcc: shownAddresses,
  from: nullishString,
  subject: nullishString,
  html: nullishString,
  text: nullishString,
  createdAt: nullishString,
  updatedAt: nullishString,
  emailEvents: z.array(emailEvent),
  // Not in the specification; the sandbox has them.
  attachments: z.unknown().optional().describe('as the service stored them'),
  headers: z.unknown().optional().describe('as the service stored them'),
});

export type Email = z.infer<typeof email>;

/** An email in a list: without its history, but with `latestStatus` on live servers. */
export const emailListItem = lenientObject({
  id: z.string(),
  to: shownAddresses,
  from: nullishString,
  subject: nullishString,
  html: nullishString,
  text: nullishString,
  createdAt: nullishString,
  updatedAt: nullishString,
  scheduledAt: nullishString,
  domainId: nullishNumber,
  replyTo: shownAddresses,
  cc: shownAddresses,
  bcc: shownAddresses,
  latestStatus: nullishString,
});

export type EmailListItem = z.infer<typeof emailListItem>;

/**
 * Sends one email, now or at `scheduledAt`. The same body with the same key returns the first id; another
 * body with that key is 409 `NOT_UNIQUE`. An unverified sender domain is 400, a blocked account 403.
 */
export const sendEmail = operation('email.send', {
  route: 'POST /v1/emails',
  effect: 'mails',
  repeat: 'keyed',
  input: z.strictObject({ body: sendBody }),
  reply: emailIdReply,
});

/** Sends up to 100 emails, all or none: an invalid one causes a 400 whose path begins with its index. */
export const sendBatch = operation('email.batch', {
  route: 'POST /v1/emails/batch',
  effect: 'mails',
  repeat: 'keyed',
  input: z.strictObject({ body: z.array(sendBody).min(1).max(limits.emailsPerBatch) }),
  reply: lenientObject({ data: z.array(emailIdReply) }),
});

/** Fetches one email with its history; 404 if the account has none with this id. */
export const getEmail = operation('email.get', {
  route: 'GET /v1/emails/{emailId}',
  input: z.strictObject({ params: emailId }),
  reply: email,
});

/**
 * Lists emails, newest first; `count` is the number of all matches. `page` starts at 1, the dates
 * are in UTC, and `domainId` may be repeated. Parameter names: observed on live servers.
 */
export const listEmails = operation('email.list', {
  route: 'GET /v1/emails',
  input: z.strictObject({
    query: z.strictObject({
      page: z.int().min(1).optional(),
      limit: z.int().min(limits.emailsPerPage.min).max(limits.emailsPerPage.max).optional(),
      startDate: utcDateTime.optional(),
      endDate: utcDateTime.optional(),
      domainId: z.array(z.int()).optional(),
    }),
  }),
  reply: lenientObject({ data: z.array(emailListItem), count: nullishNumber }),
});

/** Reschedules an email; 400 unless it is still scheduled. A time in the past sends it at once. */
export const rescheduleEmail = operation('email.reschedule', {
  route: 'PATCH /v1/emails/{emailId}',
  effect: 'mails',
  repeat: 'harmless',
  input: z.strictObject({ params: emailId, body: z.strictObject({ scheduledAt: utcDateTime }) }),
  reply: emailIdReply,
});

/** Cancels a scheduled email; 400 unless it is still scheduled, so a second cancel is 400, too. */
export const cancelEmail = operation('email.cancel', {
  route: 'POST /v1/emails/{emailId}/cancel',
  effect: 'changes',
  repeat: 'harmless',
  input: z.strictObject({ params: emailId }),
  reply: emailIdReply,
});
