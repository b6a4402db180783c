import { defineCommand } from '../../lib/command/command.ts';
import { heartbeatFlag, intervalFlag, pollingOf } from '../../lib/command/poll.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: [
    ['mailer campaign watch "News of March"', 'Follow it until it is sent or paused'],
    ['mailer campaign watch cm3k9x2f8000008l4 > march.tsv', 'A line for each change'],
    [
      'mailer campaign watch cm3k9x2f8000008l4 -q --wait-timeout 2h || echo "not sent"',
      'In a script: 0 when sent, 9 when paused, 10 on timeout',
    ],
  ],
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
    const { startCampaignWait } = await import('../../lib/campaign/watch.ts');
    const wait = await startCampaignWait(context, named, polling);
    const format = context.format();
    const isPiped = format === 'table' && context.system.stdout.isTTY !== true;
    if (isPiped || format === 'csv' || format === 'jsonl') {
      const { watchInLines } = await import('../../lib/campaign/watch-lines.ts');
      return watchInLines(context, wait);
    }
    const { watchLive } = await import('../../lib/campaign/watch-live.ts');
    return await watchLive(context, wait);
  },
});
