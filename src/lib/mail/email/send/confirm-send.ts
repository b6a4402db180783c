import type { SendBody } from '../../../../api/email.ts';
import { fileSize } from '../../../../shared/file-size.ts';
import type { Context } from '../../../command-line/command/context.ts';
import {
  allOf,
  beginning,
  type SummaryRow,
  summaryAbove,
  whenSent,
} from '../../../command-line/command/summary.ts';
import type { ExaminedEmail } from '../../../service/policy/email-under.ts';
import { htmlReader } from '../../content/html-reader.ts';

/**
 * Shows the email, its recipients and time, and asks whether to send it, unless `--yes` or `--dry-run` is
 * given. Throws a `UsageError` if the answer is no.
 */
export async function confirmSend(examined: ExaminedEmail, context: Context): Promise<void> {
  const [question, undone] =
    examined.email.scheduledAt === undefined
      ? ['Send it?', 'Nothing was sent']
      : ['Schedule it?', 'Nothing was scheduled'];
  await context.prompts.confirm(question, undone, await emailAbove(examined, context));
}

/** An email in lines to show above a question; of several, `which` says which one. */
export async function emailAbove(
  examined: ExaminedEmail,
  context: Context,
  which?: string,
): Promise<readonly string[]> {
  const rows = await rowsOf(examined, context);
  return summaryAbove([['Email', allOf(which)], ...rows], context);
}

async function rowsOf(
  { email: body, redirectedFor, redirect }: ExaminedEmail,
  context: Context,
): Promise<readonly SummaryRow[]> {
  const { attachments = [] } = body;
  const content = body.text ?? (await htmlReader())(body.html);
  return [
    ['From', [body.from]],
    ['To', allOf(body.to)],
    ['Cc', allOf(body.cc)],
    ['Bcc', allOf(body.bcc)],
    ['Instead of', redirectedFor],
    ['Redirected', redirect === undefined ? [] : [`by ${redirect.place} (redirect-to)`]],
    ['Reply-To', allOf(body.replyTo)],
    ['Subject', allOf(body.subject)],
    ['Template', allOf(body.templateId)],
    [body.text === undefined ? 'HTML' : 'Text', beginning(content)],
    [
      'Attachments',
      attachments.map(({ filename, content }) => `${filename} (${fileSize(bytesIn(content))})`),
    ],
    ['Size', [fileSize(sizeOf(body))]],
    ['When', [await whenSent(body.scheduledAt, context)]],
  ];
}

/** The decoded size of a text in base64. */
function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** Bytes of the body and the attachments. */
function sizeOf({ text = '', html = '', attachments = [] }: SendBody): number {
  const files = attachments.reduce((sum, { content }) => sum + bytesIn(content), 0);
  return Buffer.byteLength(text) + Buffer.byteLength(html) + files;
}
