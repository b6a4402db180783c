import { offerRuns } from '../../lib/bulk/show/offer-runs.ts';
import { defineCommand } from '../../lib/command/command.ts';

export const command = defineCommand({
  takes: ['sandbox', 'times'],
  withoutAccount: true,
  examples: [
    ['mailer run get 0bddde44', 'Progress of a run, and how to resume it'],
    ['mailer run get 0bddde44 --fields state,left', 'Whether it is complete, and what is left'],
  ],
  offers: { run: offerRuns },
  flags: (command) => command.argument('<run>', 'name or prefix; @last for the newest'),
  async run(context, _options, named) {
    const { showRun } = await import('../../lib/bulk/show/show-run.ts');
    return showRun(context, named);
  },
});
