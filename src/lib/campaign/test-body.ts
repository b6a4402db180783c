import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import type { SendBody } from '../../api/email.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { NotFoundError, NotOfferedError } from '../errors.ts';

/** The unsubscribe link, under both names that services accept. */
const unsubscribeLink = /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}/g;

/** The target of that link in a test. Nobody can own the name (RFC 2606), so nobody is unsubscribed. */
const nowhere = 'https://unsubscribe.invalid/';

interface Test {
  readonly body: SendBody;
  /** Sentences about how the test differs from the emails of the campaign. */
  readonly notes: readonly string[];
}

/**
 * The email that shows what a campaign looks like. Throws a `NotOfferedError` if its content is not
 * available.
 */
export async function testBody(
  context: Context,
  campaign: CampaignSummary,
  to: string | string[],
): Promise<Test> {
  // A full campaign, where the service shows one.
  const full: CampaignSummary & Partial<Campaign> = campaign;
  const html = await htmlOf(context, full);
  const text = `${full.subject ?? ''}${html.replace(unsubscribeLink, '')}`;
  const placeholders = new Set(text.match(/\{\{[^{}]*\}\}/g));
  const { previewText, replyTo } = full;
  return {
    body: {
      to,
      from: full.from ?? '',
      subject: `[Test] ${full.subject ?? ''}`,
      ...(replyTo == null || replyTo.length === 0 ? {} : { replyTo }),
      ...(previewText ? { text: previewText } : {}),
      html: html.replace(unsubscribeLink, nowhere),
    },
    notes: [
      'The unsubscribe link of a test leads nowhere.',
      ...(placeholders.size === 0
        ? []
        : [
            `Placeholders are not filled in, as there is no contact: ${[...placeholders].join(', ')}`,
          ]),
    ],
  };
}

/** The test as far as it is known without the campaign, which `--dry-run` does not read. */
export function unreadTest(named: string, to: string | string[]): Test {
  return {
    body: { to, from: 'sender@campaign.invalid', subject: '[Test] SUBJECT', html: 'HTML' },
    notes: [
      `The campaign ${JSON.stringify(named)} would be looked up first; the request then has its sender, subject and content.`,
    ],
  };
}

/** If a draft only has content of the dashboard's editor, that is rendered. */
async function htmlOf(
  context: Context,
  { id, html, content, previewText }: CampaignSummary & Partial<Campaign>,
): Promise<string> {
  if (html) return html;
  const hint = `Send the test from the dashboard of the service, or create the campaign from HTML: ${nextCommand(context, 'campaign', 'create', '--html-file', 'PATH')}`;
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
