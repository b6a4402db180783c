import type { Campaign, CampaignSummary } from '../../api/campaign.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { linesOf } from '../../lib/command-line/output/result.ts';
import { findCampaign } from '../../lib/mail/campaign/find-campaign.ts';
import { showCampaign } from '../../lib/mail/campaign/show-campaign.ts';

export const command = defineCommand({
  description: 'A name must be exact; if several campaigns have it, the message lists their ids.',
  effects: { reads: true },
  exits: { 4: 'there is no such campaign; with --open: its content cannot be shown' },
  prints: [replyOf('campaign.get')],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer campaign get cm3k9x2f8000008l4': 'Show a campaign and its counters',
    'mailer campaign get @last --open': 'Show the content of the last one in the browser',
    'mailer campaign get "News of March" --fields status,delivered': 'By its name, two fields',
  },
  flags: (command) =>
    command
      .argument('<campaign>', 'id or exact name; @last for the last one created here')
      .option('--open', 'also show its content in the browser'),
  async run(context, options, named) {
    const campaign: CampaignSummary & Partial<Campaign> = await findCampaign(context, named);
    if (options.open === true) {
      const [{ htmlOfCampaign }, { openPreview }] = await Promise.all([
        import('../../lib/mail/campaign/html-of-campaign.ts'),
        import('../../lib/mail/content/preview-page.ts'),
      ]);
      const { subject, from, name, id } = campaign;
      const html = await htmlOfCampaign(context, campaign);
      await openPreview(context, [{ html, subject, from }], name ?? id);
    }
    const { fromHere } = await import('../../lib/command-line/log/from-here.ts');
    const shown = showCampaign(campaign, context.serviceNow());
    const note = [...linesOf(shown.note ?? []), ...(await fromHere(context, { id: campaign.id }))];
    return { ...shown, note };
  },
});
