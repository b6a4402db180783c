import { withCampaign } from '../../lib/campaign/find-campaign.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description: 'Emails that were already sent are still delivered.',
  effects: { changes: true },
  exits: { 4: 'there is no such campaign' },
  prints: [replyOf('campaign.pause')],
  takes: ['service', 'sandbox', 'dry runs'],
  examples: { 'mailer campaign pause "News of March"': 'Stop after the current batch' },
  flags: (command) =>
    command.argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, named) {
    const pause = async (campaignId: string) => {
      const reply = await context.call('campaign.pause', { params: { campaignId } });
      return done({
        reply,
        ids: [campaignId],
        message: `Paused. To resume it: ${nextCommand(context, 'campaign', 'resume', campaignId)}`,
      });
    };
    return await withCampaign(context, named, pause);
  },
});
