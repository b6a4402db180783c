import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { heartbeatFlag, intervalFlag, pollingOf } from '../../lib/command-line/command/poll.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { offerRuns } from '../../lib/runs/bulk/show/offer-runs.ts';

export const command = defineCommand({
  description:
    'It ends when no email of the run is waiting: each is delivered or has failed. Then it shows what run get --deliveries shows. In a pipe, stderr has a line for each change. Emails that are scheduled for later count as waiting.',
  effects: { reads: true },
  exits: {
    4: 'there is no such run',
    9: 'some emails did not arrive',
    10: 'the wait timed out',
  },
  prints: [documentOf('the outcomes of its emails', schemas.bulk('deliveries'))],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer run watch @last': 'Follow the emails of your last bulk run',
    'mailer run watch 0bddde44 --wait-timeout 10m --json':
      'In a script: 0 when all are delivered, 9 if some failed, 10 on timeout',
  },
  offers: { run: offerRuns },
  flags: (command) =>
    command
      .argument('<run>', 'name or prefix; @last for the newest of this account')
      .option(...intervalFlag)
      .option(
        '--wait-timeout <duration>',
        'how long to watch, such as 90s or 2d (default: to the end)',
      )
      .option(...heartbeatFlag),
  async run(context, options, named) {
    const { watchRun } = await import('../../lib/runs/find/deliveries/watch-run.ts');
    return await watchRun(context, named, pollingOf(options));
  },
});
