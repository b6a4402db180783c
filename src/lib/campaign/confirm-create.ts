import { type CreateCampaignBody, createCampaign } from '../../api/campaign.ts';
import type { Context } from '../command/context.ts';
import { allOf, beginning, summaryAbove, whenSent } from '../command/summary.ts';
import { checkInput, type NameOf } from '../http/check.ts';

/**
 * Shows what goes to which contact book and when, and asks whether to start the campaign, unless `--yes` or
 * `--dry-run` is given. Does not ask about a draft, which sends nothing. Throws a `UsageError` if the answer
 * is no, and for what the service would reject.
 */
export async function confirmCreate(
  body: CreateCampaignBody,
  nameOf: NameOf,
  context: Context,
): Promise<void> {
  checkInput(createCampaign, { body }, nameOf);
  const { sendNow, scheduledAt, content, html } = body;
  if (sendNow !== true && scheduledAt === undefined) return;
  const summary = summaryAbove(
    [
      ['Name', [body.name]],
      ['From', [body.from]],
      ['To', [`the contact book ${body.contactBookId}`]],
      ['Cc', allOf(body.cc)],
      ['Bcc', allOf(body.bcc)],
      ['Reply-To', allOf(body.replyTo)],
      ['Subject', [body.subject]],
      ['Preview', allOf(body.previewText)],
      [html === undefined ? 'Content' : 'HTML', beginning(html ?? content ?? '')],
      ['When', [await whenSent(scheduledAt, context)]],
    ],
    context,
  );
  const question = sendNow === true ? 'Create it and start it now?' : 'Create it and schedule it?';
  await context.prompts.confirm(question, 'Nothing was created', summary);
}
