import { schemas } from '../../json-schemas/load.ts';
import { NotFoundError } from '../../lib/base/errors.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { record, time } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'It shows the command line without texts, secrets and addresses, and the ids of what was created or changed.',
  effects: {},
  exits: { 4: 'there is no such entry' },
  prints: [documentOf('the entry', schemas.log('logEntry'))],
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
  examples: { 'mailer log get 12': 'Everything that the log has about a command' },
  flags: (command) => command.argument('<entry>', 'its number in mailer log list'),
  async run(context, _options, given) {
    const { findInLog } = await import('../../lib/command-line/log/find-in-log.ts');
    const entry = parseInteger('ENTRY', { min: 1 })(given);
    const [found] = findInLog(context, { entry, most: 1 });
    if (found === undefined) {
      throw new NotFoundError(`The log has no entry ${entry}.`, {
        hint: `To see its entries: ${nextCommand(context, 'log', 'list')}`,
      });
    }
    return record({
      reply: found,
      quiet: String(found.entry),
      rows: [
        ['entry', 'Entry', found.entry],
        ['at', 'Time', time(found.at, { seconds: true })],
        ['state', 'State', found.state],
        ['exitCode', 'Exit code', found.exitCode],
        ['line', 'Command line', found.line],
        ['effect', 'Effect', found.effect],
        ['requests', 'Requests', found.requests],
        ['recipients', 'People', found.recipients],
        ['digest', 'Digest', found.digest],
        ['ids', 'Ids', found.ids.join(', ')],
        ['run', 'Run', found.run],
        ['profile', 'Profile', found.profile],
        ['team', 'Team', found.team],
        ['baseUrl', 'Base URL', found.baseUrl],
        ['user', 'User', found.user],
        ['host', 'Host', found.host],
        ['directory', 'Directory', found.directory],
      ],
    });
  },
});
