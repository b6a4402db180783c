import type { CampaignSummary } from '../../api/campaign.ts';
import { findCampaign, withCampaign } from '../../lib/campaign/find.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { assertSuccess } from '../../lib/command/success.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [['mailer campaign pause "News of March"', 'Stop after the current batch']],
  flags: (command) =>
    command.argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, named) {
    const pause = async (campaignId: string) => {
      const reply = await context.call('campaign.pause', { params: { campaignId } });
      assertSuccess(reply);
      return done({
        reply,
        ids: [campaignId],
        message: `Paused. To resume it: ${nextCommand(context, 'campaign', 'resume', campaignId)}`,
      });
    };
    if (context.flags.yes === true || context.flags.dryRun === true) {
      return await withCampaign(context, named, (id) => pause(id));
    }
    const campaign = await findCampaign(context, named);
    const doubt = doubtAbout(campaign);
    if (doubt !== undefined) {
      await context.prompts.confirm(`${doubt} Pause it?`, 'Nothing was paused');
    }
    return await pause(campaign.id);
  },
});

/** Why pausing may not have its usual effect. The service pauses campaigns of any status. */
function doubtAbout({ id, name, status }: CampaignSummary): string | undefined {
  const which = `${JSON.stringify(name ?? id)}${name ? ` (${id})` : ''}`;
  switch (status) {
    case 'DRAFT':
      return `Campaign ${which} is a draft: once paused, resuming it sends it without a question.`;
    case 'SENT':
      return `Campaign ${which} has been sent: once paused, resuming it may send it again.`;
    default:
      return undefined;
  }
}
