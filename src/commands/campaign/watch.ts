import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { heartbeatFlag, intervalFlag, pollingOf } from '../../lib/command-line/command/poll.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';

export const command = defineCommand({
  description:
    'On a terminal, there is a bar for each counter, with the rate and the time left; in a pipe, there is a line per change. It ends when the campaign is sent or paused, or turns out to be a draft.',
  effects: { reads: true },
  exits: {
    4: 'there is no such campaign',
    9: 'the campaign is paused, or a draft',
    10: 'the wait timed out',
  },
  prints: [
    replyOf('campaign.get', {
      what: 'the last response to `GET /v1/campaigns/{campaignId}`; with `--jsonl`, a line per change',
      line: schemas.campaigns('campaign'),
    }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer campaign watch "News of March"': 'Follow it until it is sent or paused',
    'mailer campaign watch cm3k9x2f8000008l4 > march.tsv': 'A line for each change',
    'mailer campaign watch cm3k9x2f8000008l4 -q --wait-timeout 2h || echo "not sent"':
      'In a script: 0 when sent, 9 when paused, 10 on timeout',
  },
  flags: (command) =>
    command
      .argument('<campaign>', 'id or exact name; @last for the last one created here')
      .option(...intervalFlag)
      .option(
        '--wait-timeout <duration>',
        'how long to watch, such as 90s or 2d (default: to the end)',
      )
      .option(...heartbeatFlag),
  async run(context, options, named) {
    const polling = pollingOf(options);
    const { startCampaignWait } = await import('../../lib/mail/campaign/watch-campaign.ts');
    const wait = await startCampaignWait(context, named, polling);
    const format = context.format();
    const isPiped = format === 'table' && context.system.stdout.isTTY !== true;
    if (isPiped || format === 'csv' || format === 'jsonl') {
      const { watchInLines } = await import('../../lib/mail/campaign/watch-lines.ts');
      return watchInLines(context, wait);
    }
    const { watchLive } = await import('../../lib/mail/campaign/watch-live.ts');
    return await watchLive(context, wait);
  },
});
