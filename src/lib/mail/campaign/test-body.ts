import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import type { SendBody } from '../../../api/email.ts';
import { escapeHtml, type Lookup, merge, onOneLine } from '../../../shared/merge.ts';
import { compact } from '../../base/text/compact.ts';
import type { Context } from '../../command-line/command/context.ts';
import { htmlOfCampaign } from './html-of-campaign.ts';

/** The unsubscribe link, under both names that services accept. */
const unsubscribeLink = /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}/g;

/** The target of that link in a test. Nobody can own the name (RFC 2606), so nobody is unsubscribed. */
const nowhere = 'https://unsubscribe.invalid/';

interface Test {
  readonly body: SendBody;
  /** Sentences about how the test differs from the emails of the campaign. */
  readonly notes: readonly string[];
  /** The address of the contact whose values are filled in. */
  readonly contact?: string | undefined;
}

/**
 * The email that shows what a campaign looks like; with a `lookup`, as the contact would get it who has these values.
 * Throws a `NotOfferedError` if its content is not available.
 */
export async function testBody(
  context: Context,
  campaign: CampaignSummary,
  to: string | string[],
  lookup?: Lookup,
): Promise<Test> {
  // A full campaign, where the service shows one.
  const full: CampaignSummary & Partial<Campaign> = campaign;
  const written = (await htmlOfCampaign(context, full)).replace(unsubscribeLink, nowhere);
  const html = lookup ? merge(written, lookup, escapeHtml) : written;
  const subject = lookup ? merge(full.subject ?? '', lookup, onOneLine) : (full.subject ?? '');
  const placeholders = lookup ? [] : (`${subject}${html}`.match(/\{\{[^{}]*\}\}/g) ?? []);
  const { previewText, replyTo } = full;
  return {
    body: {
      to,
      from: full.from ?? '',
      subject: `[Test] ${subject}`,
      ...(replyTo == null || replyTo.length === 0 ? {} : { replyTo }),
      ...(previewText ? { text: previewText } : {}),
      html,
    },
    notes: compact(
      'The unsubscribe link of a test leads nowhere.',
      placeholders.length > 0 &&
        `Placeholders are not filled in, as there is no contact: ${[...new Set(placeholders)].join(', ')}. To fill them in, add --contact.`,
    ),
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
