import { addSendingFlags } from '../../lib/bulk/flags.ts';
import { offerRuns } from '../../lib/bulk/show/offer-runs.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { waitStatuses } from '../../lib/email/outcome.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'lists', 'dry runs', 'confirmation', 'times'],
  examples: [
    ['mailer run resume 0bddde44', 'Resume a bulk run'],
    [
      'mailer run resume 0bddde44 --yes --rate 1',
      'In a script, with at most one request per second',
    ],
  ],
  offers: { run: offerRuns, '--wait': waitStatuses },
  flags: (command) =>
    addSendingFlags(command.argument('<run>', 'name or prefix; @last for the newest')),
  async recordedFlags(place, named) {
    const { recordedRun } = await import('../../lib/bulk/journal/recorded-run.ts');
    const { profile, ...common } = recordedRun(place, named).line.common;
    // A key in the environment is for the URL that is given with it; the profile would replace that key.
    const { flags, system } = place;
    if (profile === undefined || (flags.baseUrl && system.env.MAILER_API_KEY)) return common;
    return { ...common, profile };
  },
  async run(context, options, named) {
    const { recordedRun } = await import('../../lib/bulk/journal/recorded-run.ts');
    const run = recordedRun(context, named);
    if (run.header.contacts !== undefined) {
      const { resumeImport } = await import('../../lib/import/resume.ts');
      return await resumeImport(context, options, run);
    }
    const { resumeRun } = await import('../../lib/bulk/run.ts');
    return await resumeRun(context, options, run);
  },
});
