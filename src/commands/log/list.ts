import { schemas } from '../../json-schemas/load.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import type { LogEntry } from '../../lib/command-line/log/log-shapes.ts';
import { list, time } from '../../lib/command-line/output/result.ts';

/** Entries without `--limit`. */
const usualMost = 100;

export const command = defineCommand({
  description:
    'It has each command of this user on this machine that mailed, changed or deleted something at a service, or tried to, for 400 days. It has no texts, secrets or addresses; --to finds the commands whose requests were about an address. docs/log.md explains it.',
  effects: {},
  prints: [rowsOf('the commands, newest first', schemas.log('logEntry'))],
  takes: ['sandbox', 'lists', 'times'],
  withoutAccount: true,
  quiet: 'only the numbers of the entries',
  examples: {
    'mailer log list --since 2d': 'What was done in the last two days',
    'mailer log list --to ana@example.org': 'Which commands mailed Ana, or changed her contact',
    "mailer log list --command 'campaign schedule' --json": 'Who scheduled campaigns, for a script',
  },
  flags: (command) =>
    command
      .option('--since <when>', 'begun at or after: ISO 8601, yesterday, 30d')
      .option('--until <when>', 'begun before: the same')
      .option('--command <words>', 'only this command or group, such as "email send" or campaign')
      .option('--to <address>', 'only commands whose requests were about this address')
      .option(
        '--limit <n>',
        `at most this many, the newest (default: ${usualMost})`,
        parseInteger('--limit', { min: 1 }),
      ),
  async run(context, options) {
    const [{ findInLog }, { oneAddress }, { bareAddress }, { periodBound }] = await Promise.all([
      import('../../lib/command-line/log/find-in-log.ts'),
      import('../../lib/base/input/addresses.ts'),
      import('../../api/bare-address.ts'),
      import('../../lib/command-line/command/flags/scheduled-time.ts'),
    ]);
    const bound = async (text: string | undefined, flag: '--since' | '--until') =>
      text === undefined ? undefined : Number(await periodBound(text, context, flag));
    const most = options.limit ?? usualMost;
    const found = findInLog(context, {
      since: await bound(options.since, '--since'),
      until: await bound(options.until, '--until'),
      profile: context.flags.profile,
      command: options.command?.trim(),
      to: options.to === undefined ? undefined : bareAddress(oneAddress(options.to, '--to')),
      most: most + 1,
    });
    const rows = found.slice(0, most);
    return list<LogEntry>({
      pages: [{ rows }],
      columns: [
        { field: 'entry', header: 'Entry' },
        { field: 'at', header: 'Time', cell: ({ at }) => time(at) },
        { field: 'state', header: 'State' },
        { field: 'line', header: 'Command', flexible: true },
        { field: 'recipients', header: 'People' },
        { field: 'profile', header: 'Profile' },
        { field: 'user', header: 'User' },
        // Too wide for a terminal: log get shows them there.
        { field: 'directory', header: 'Directory', onlyFor: () => false },
        { field: 'digest', header: 'Digest', onlyFor: () => false },
        { field: 'team', header: 'Team', onlyFor: () => false },
      ],
      id: ({ entry }) => String(entry),
      empty: 'The log has no such command.',
      note: () =>
        found.length > most ? `There are more; to see them: --limit ${most * 10}` : undefined,
    });
  },
});
