import { defineCommand } from '../../lib/command/command.ts';

export const command = defineCommand({
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
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
