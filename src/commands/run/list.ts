import { defineCommand } from '../../lib/command/command.ts';

export const command = defineCommand({
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: [
    ['mailer run list', 'Progress of each bulk run'],
    ['mailer run list --fields run,file,left', 'Number of unsent emails per file'],
  ],
  flags: (command) => command,
  async run(context) {
    const { listRuns } = await import('../../lib/bulk/show/list-runs.ts');
    return listRuns(context);
  },
});
