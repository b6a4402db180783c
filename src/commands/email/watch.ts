import { emailStatuses } from '../../api/email-status.ts';
import { schemas } from '../../json-schemas/load.ts';
import { parseDuration } from '../../lib/base/input/duration.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { heartbeatFlag, intervalFlag, pollingOf } from '../../lib/command-line/command/poll.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { addFindFlags, findOffers } from '../../lib/runs/find/find-flags.ts';

export const command = defineCommand({
  description:
    'It prints a line for each new email and each change of status until Ctrl-C, from now on, from --since, or from the start of the --run or --campaign. It asks for the newest 50 emails every 2 seconds, less often while nothing happens, and for older ones, at most 500, only while some of them are on their way. It misses statuses that an email passes through between two requests, and changes after delivery once there are 50 newer emails.',
  effects: { reads: true },
  exits: {
    4: 'there is no such domain, run or campaign, or the service does not report the status',
    9: 'with --fail-on: an email has one of these statuses',
  },
  prints: [
    rowsOf('new emails and changes of status, as they arrive', schemas.found('watchedEmail')),
  ],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer email watch': 'New emails and changes, one per line',
    'mailer email watch --failed --events --jsonl': 'Failures with their reason, for a program',
    'mailer email watch --run @last --until-idle 5m --fail-on BOUNCED COMPLAINED':
      'In a script: 9 once an email bounces, 0 after 5 quiet minutes',
  },
  offers: findOffers,
  flags: (command) =>
    addFindFlags(command)
      .optionsGroup('Flags:')
      .option(
        '--until-idle <duration>',
        'end when nothing has happened for this long, such as 5m',
        parseDuration('--until-idle'),
      )
      .option('--count <n>', 'end after this many lines', parseInteger('--count', { min: 1 }))
      .addOption(
        repeatableOption(
          '--fail-on <status...>',
          'end with 9 at the first email with one of these statuses: BOUNCED, COMPLAINED …',
          emailStatuses,
        ),
      )
      .option(...intervalFlag)
      .option(...heartbeatFlag),
  async run(context, options) {
    const { watchList } = await import('../../lib/runs/find/watch/watch-list.ts');
    return await watchList(context, options, pollingOf(options));
  },
});
