import { findCampaign } from '../../lib/campaign/find-campaign.ts';
import { showCampaign } from '../../lib/campaign/show-campaign.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { replyOf } from '../../lib/command/prints.ts';

export const command = defineCommand({
  description: 'A name must be exact; if several campaigns have it, the message lists their ids.',
  effects: { reads: true },
  exits: { 4: 'there is no such campaign' },
  prints: [replyOf('campaign.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: [
    ['mailer campaign get cm3k9x2f8000008l4', 'Show a campaign and its counters'],
    ['mailer campaign get "News of March" --fields status,delivered', 'By its name, two fields'],
  ],
  flags: (command) =>
    command.argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, _options, named) {
    const campaign = await findCampaign(context, named);
    return showCampaign(campaign);
  },
});
