import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import { NotFoundError, NotOfferedError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';

/**
 * The HTML of a campaign. If a draft only has content of the dashboard's editor, the service renders it. Throws a
 * `NotOfferedError` if it cannot, or does not show the content.
 */
export async function htmlOfCampaign(
  context: Context,
  { id, html, content, previewText }: CampaignSummary & Partial<Campaign>,
): Promise<string> {
  if (html) return html;
  const hint = `Use the dashboard of the service, or create the campaign from HTML: ${nextCommand(context, 'campaign', 'create', '--html-file', 'PATH')}`;
  if (!content) {
    throw new NotOfferedError(`This service does not show the content of campaign ${id}.`, {
      hint,
    });
  }
  try {
    const body = { content, ...(previewText ? { previewText } : {}) };
    return (await context.call('template.render', { body })).html;
  } catch (error) {
    if (!(error instanceof NotFoundError && error.details.request?.mayBeOfProxy)) throw error;
    const message = `Campaign ${id} only has content of the dashboard's editor, which this service cannot render.`;
    throw new NotOfferedError(message, { hint, cause: error });
  }
}
