import { schemas } from '../../json-schemas/load.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';

export const command = defineCommand({
  description:
    'A run is one email batch, or one shard of it. The list has the state, the counts and the size of each. It reads the journals on this machine and makes no request. If --profile or the environment chooses an account, it has the runs of that account only.',
  effects: {},
  prints: [rowsOf('the runs, newest first', schemas.bulk('shownRun'))],
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: {
    'mailer run list': 'Progress of each bulk run',
    'mailer run list --fields run,file,left': 'Number of unsent emails per file',
  },
  flags: (command) => command.option('--all', 'also the runs of other accounts'),
  async run(context, options) {
    const { listRuns } = await import('../../lib/runs/bulk/show/list-runs.ts');
    return await listRuns(context, options.all === true);
  },
});
