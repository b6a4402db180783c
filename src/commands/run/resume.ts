import { printedOfRun } from '../../json-schemas/printed-of-run.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { addSendingFlags } from '../../lib/runs/bulk/flags.ts';
import { offerIncompleteRuns } from '../../lib/runs/bulk/show/offer-runs.ts';

export const command = defineCommand({
  description:
    'It sends the remaining emails from the journal, without the input file. The flags, profile and base URL of the run apply, unless others are given. The key is not in the journal; it must belong to the account that started the run. Nothing is sent twice. On a terminal, it asks before it sends; elsewhere, it needs --yes.',
  effects: { mails: true, local: true },
  exits: {
    2: 'another account, a run of another version, or wrong flags; nothing was sent',
    4: 'there is no such run',
    9: 'with --wait: an email failed',
    10: 'with --wait: the wait timed out for some emails',
    11: 'rows were rejected or left out, or their outcome is unknown',
  },
  prints: printedOfRun,
  takes: ['service', 'sandbox', 'lists', 'dry runs', 'confirmation', 'times'],
  examples: {
    'mailer run resume 0bddde44': 'Resume a bulk run',
    'mailer run resume 0bddde44 --yes --rate 1': 'In a script, with at most one request per second',
  },
  offers: { run: offerIncompleteRuns },
  flags: (command) =>
    addSendingFlags(
      command.argument('<run>', 'name or prefix; @last for the newest of this account'),
    ),
  async recordedFlags(place, named) {
    const { recordedRun } = await import('../../lib/runs/bulk/journal/recorded-run.ts');
    const { recordedCommon } = await import('../../lib/runs/bulk/journal/recorded-line.ts');
    return recordedCommon(place, (await recordedRun(place, named)).header.line);
  },
  async run(context, options, named) {
    const { recordedRun } = await import('../../lib/runs/bulk/journal/recorded-run.ts');
    const run = await recordedRun(context, named);
    const { resumeRun } = await import('../../lib/runs/bulk/run.ts');
    return await resumeRun(context, options, run);
  },
});
