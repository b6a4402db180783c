import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import { findCampaign, withCampaign } from '../../lib/campaign/find.ts';
import { lookFirst } from '../../lib/campaign/look-first.ts';
import { warnOfUnfilled } from '../../lib/campaign/unfilled.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { expectFlag } from '../../lib/command/flags/expect-flag.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { assertSuccess } from '../../lib/command/success.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [['mailer campaign resume "News of March"', 'Resume a paused campaign']],
  flags: (command) =>
    command
      .argument('<campaign>', 'id or exact name; @last for the last one created here')
      .option(...expectFlag),
  async run(context, { expect }, named) {
    const resume = async (campaignId: string) => {
      const input = { params: { campaignId } };
      const hintIfUnknown = lookFirst(context, campaignId);
      const reply = await context.call('campaign.resume', input, { hintIfUnknown, expect });
      assertSuccess(reply);
      return done({
        reply,
        ids: [campaignId],
        message: `Resumed. To follow it: ${nextCommand(context, 'campaign', 'watch', campaignId)}`,
      });
    };
    if (context.flags.yes === true || context.flags.dryRun === true) {
      return await withCampaign(context, named, (id) => resume(id));
    }
    const campaign: CampaignSummary & Partial<Campaign> = await findCampaign(context, named);
    const doubt = doubtAbout(campaign);
    if (doubt !== undefined) {
      if (context.prompts.possible) await warnOfUnfilled(context, campaign, campaign.contactBookId);
      await context.prompts.confirm(`${doubt} Resume it?`, 'Nothing was resumed');
    }
    return await resume(campaign.id);
  },
});

/** Why the user may not want to resume this campaign. The service resumes campaigns of any status. */
function doubtAbout({ id, name, status, total, sent }: CampaignSummary): string | undefined {
  const which = `${JSON.stringify(name ?? id)}${name ? ` (${id})` : ''}`;
  switch (status) {
    case 'RUNNING':
    case 'SCHEDULED':
    case 'PAUSED':
      return undefined;
    case 'DRAFT':
      return `Campaign ${which} is a draft: resuming it sends it to ${total ? `${total} contacts` : 'its whole contact book'}.`;
    case 'SENT':
      return `Campaign ${which} has been sent${sent ? `, to ${sent} contacts` : ''}: resuming it may send it again.`;
    default:
      return `The status of campaign ${which} is ${status ?? 'unknown'}: if it is a draft, resuming it sends it to its whole contact book.`;
  }
}
