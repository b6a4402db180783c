import type { CreateCampaignBody } from '../../../api/campaign.ts';
import type { Context } from '../../command-line/command/context.ts';
import { type RecordResult, record, time } from '../../command-line/output/result.ts';
import { htmlReader } from '../content/html-reader.ts';
import { openPreview, previewNote } from '../content/preview-page.ts';

/** Shows a campaign as it would be created; with `open`, its HTML also in the browser. */
export async function previewCampaign(
  context: Context,
  body: CreateCampaignBody,
  open: boolean,
): Promise<RecordResult> {
  const { html, subject, from } = body;
  if (open) await openPreview(context, [{ html, subject, from }], 'Preview');
  return record({
    reply: body,
    quiet: body.name,
    rows: [
      ['name', 'Name', body.name],
      ['from', 'From', from],
      ['contactBookId', 'Contact book', body.contactBookId],
      ['replyTo', 'Reply-To', body.replyTo],
      ['cc', 'Cc', body.cc],
      ['bcc', 'Bcc', body.bcc],
      ['scheduledAt', 'Scheduled', time(body.scheduledAt)],
      ['subject', 'Subject', subject],
      ['previewText', 'Preview', body.previewText],
      ['content', 'Content', body.content],
      ['html', 'HTML', (await htmlReader())(html)],
    ],
    note: previewNote,
  });
}
