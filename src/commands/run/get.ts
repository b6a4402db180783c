import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { documentOf, rowsOf } from '../../lib/command-line/command/prints.ts';
import { offerRuns } from '../../lib/runs/bulk/show/offer-runs.ts';
import {
  deliveryStatuses,
  deliveryStatusesGiven,
} from '../../lib/runs/find/deliveries/delivery-statuses.ts';

export const command = defineCommand({
  description:
    'If the journal of the run cannot be read, only its name and size are shown. --deliveries asks the service how many of its emails are delivered, opened, bounced or waiting, and groups the failures by reason; --status lists the rows behind a group.',
  effects: { reads: true },
  exits: { 4: 'there is no such run' },
  prints: [
    documentOf('the progress of the run', schemas.bulk('shownRun')),
    documentOf('the outcomes of its emails', schemas.bulk('deliveries'), { when: '--deliveries' }),
    rowsOf('the rows with this status', schemas.bulk('delivery'), { when: '--status' }),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: {
    'mailer run get 0bddde44': 'Progress of a run, and how to resume it',
    'mailer run get 0bddde44 --fields state,left': 'Whether it is complete, and what is left',
    'mailer run get @last --deliveries': 'How many emails arrived, and why others did not',
    'mailer run get @last --status bounced --csv': 'The rows whose emails bounced',
  },
  offers: { run: offerRuns },
  flags: (command) =>
    command
      .argument('<run>', 'name or prefix; @last for the newest of this account')
      .option('--deliveries', 'how many emails arrived, and why others did not')
      .addOption(
        repeatableOption(
          '--status <status>',
          'list the rows with this status, such as bounced or rejected; repeat',
          deliveryStatuses,
        ),
      ),
  async run(context, options, named) {
    const status = options.status && deliveryStatusesGiven(options.status);
    if (options.deliveries === true || status !== undefined) {
      const { showRunDeliveries } = await import('../../lib/runs/find/deliveries/watch-run.ts');
      return await showRunDeliveries(context, named, status);
    }
    const { showRun } = await import('../../lib/runs/bulk/show/show-run.ts');
    return await showRun(context, named);
  },
});
