import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { offerRuns } from '../../lib/runs/bulk/show/offer-runs.ts';

export const command = defineCommand({
  description:
    'This deletes the journal, with the emails and addresses in it. Afterwards, the same command would send to everybody again. On a terminal, it asks first; elsewhere, it needs --yes, and --forget-retry for a retry of a run that is still there, because it keeps another retry from sending the same emails again.',
  effects: { deletes: true, local: true },
  exits: { 4: 'there is no such run' },
  prints: [documentOf('the deleted run', schemas.bulk('shownRun'))],
  takes: ['sandbox', 'confirmation'],
  withoutAccount: true,
  examples: {
    'mailer run delete 0bddde44': 'Asks, then deletes the journal',
    'mailer run delete 0bddde44 --yes': 'In a script',
  },
  offers: { run: offerRuns },
  flags: (command) =>
    command
      .argument('<run>', 'name or prefix; @last for the newest of this account')
      .option('--forget-retry', 'also a retry whose rows could then be sent once more'),
  async run(context, { forgetRetry = false }, named) {
    const { deleteRun } = await import('../../lib/runs/bulk/show/delete-run.ts');
    return await deleteRun(context, named, forgetRetry);
  },
});
