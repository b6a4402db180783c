import { offerRuns } from '../../lib/bulk/show/offer-runs.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { documentOf } from '../../lib/command/prints.ts';
import { schemas } from '../../lib/json-schemas/load.ts';

export const command = defineCommand({
  description: 'If the journal of the run cannot be read, only its name and size are shown.',
  effects: {},
  exits: { 4: 'there is no such run' },
  prints: [documentOf('the progress of the run', schemas.bulk('shownRun'))],
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
