import { offerRuns } from '../../lib/bulk/show/offer-runs.ts';
import { defineCommand } from '../../lib/command/command.ts';

export const command = defineCommand({
  takes: ['sandbox', 'confirmation'],
  withoutAccount: true,
  examples: [
    ['mailer run delete 0bddde44', 'Asks, then deletes the journal'],
    ['mailer run delete 0bddde44 --yes', 'In a script'],
  ],
  offers: { run: offerRuns },
  flags: (command) => command.argument('<run>', 'name or prefix; @last for the newest'),
  async run(context, _options, named) {
    const { deleteRun } = await import('../../lib/bulk/show/delete-run.ts');
    return await deleteRun(context, named);
  },
});
