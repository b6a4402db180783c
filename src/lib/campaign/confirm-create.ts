import type { CreateCampaignBody } from '../../api/campaign.ts';
import type { ContactBook } from '../../api/contact.ts';
import type { Context } from '../command/context.ts';
import { allOf, beginning, summaryAbove } from '../command/summary.ts';
import { confirmStart } from './confirm-start.ts';
import type { ExpectedContacts } from './expect-contacts.ts';

/**
 * `confirmStart` for a campaign that is about to be created, with its content above the question.
 */
export async function confirmCreate(
  context: Context,
  body: CreateCampaignBody,
  expected: ExpectedContacts | undefined,
  book: ContactBook | undefined,
): Promise<void> {
  const { sendNow, scheduledAt, content, html } = body;
  const above = summaryAbove(
    [
      ['Reply-To', allOf(body.replyTo)],
      ['Subject', [body.subject]],
      ['Preview', allOf(body.previewText)],
      [html === undefined ? 'Content' : 'HTML', beginning(html ?? content ?? '')],
    ],
    context,
  );
  const question = sendNow === true ? 'Create it and start it?' : 'Create it and schedule it?';
  const how = { question, undone: 'Nothing was created', scheduledAt, above };
  await confirmStart(context, body, how, expected, book);
}
