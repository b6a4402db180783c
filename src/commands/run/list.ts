import { defineCommand } from '../../lib/command/command.ts';

export const command = defineCommand({
  lists: true,
  withoutAccount: true,
  texts: {
    json: 'all runs as one JSON document',
    quiet: 'only their names, one per line',
  },
  examples: [
    ['mailer run list', 'How far each bulk run is'],
    ['mailer run list --fields run,file,left', 'What is left to send of each file'],
  ],
  flags: (command) => command,
  async run(context) {
    const { listRuns } = await import('../../lib/bulk/show/list-runs.ts');
    return listRuns(context);
  },
});
