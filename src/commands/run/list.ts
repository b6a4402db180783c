import { defineCommand } from '../../lib/command/command.ts';
import { rowsOf } from '../../lib/command/prints.ts';
import { schemas } from '../../lib/json-schemas/load.ts';

export const command = defineCommand({
  description:
    'A run is one email batch, or one shard of it. The list has the state, the counts and the size of each. It reads the journals on this machine and makes no request.',
  effects: {},
  prints: [rowsOf('all runs, newest first', schemas.bulk('shownRun'))],
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: {
    'mailer run list': 'Progress of each bulk run',
    'mailer run list --fields run,file,left': 'Number of unsent emails per file',
  },
  async run(context) {
    const { listRuns } = await import('../../lib/bulk/show/list-runs.ts');
    return listRuns(context);
  },
});
