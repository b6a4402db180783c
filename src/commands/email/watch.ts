import { emailStatuses } from '../../api/email-status.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { repeatableOption } from '../../lib/command/flags/repeatable.ts';
import { heartbeatFlag, intervalFlag, pollingOf } from '../../lib/command/poll.ts';
import { rowsOf } from '../../lib/command/prints.ts';
import { addFindFlags, findOffers } from '../../lib/find/find-flags.ts';
import { parseDuration } from '../../lib/input/duration.ts';
import { parseInteger } from '../../lib/input/numbers.ts';
import { schemas } from '../../lib/json-schemas/load.ts';

export const command = defineCommand({
  description:
    'A line for each new email and each change of a status, from now on or --since, with --run since the run began, until Ctrl-C. It asks for the newest 50 emails, and for older ones only while some of them are on their way, at most 500; after 2 seconds, and less often while nothing happens. It misses what an email goes through between two looks, and what happens to it after its delivery once 50 newer ones have come.',
  effects: { reads: true },
  exits: {
    4: 'there is no such domain or run; or the service does not tell the status',
    9: 'with --fail-on: an email has one of these statuses',
  },
  prints: [rowsOf('new emails and changes of status, as they come', schemas.found('watchedEmail'))],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: [
    ['mailer email watch', 'What happens, a line each'],
    ['mailer email watch --failed --events --jsonl', 'Failures with their reason, for a program'],
    [
      'mailer email watch --run @last --until-idle 5m --fail-on BOUNCED COMPLAINED',
      'In a script: 9 once an email bounces, 0 when nothing happens any more',
    ],
  ],
  offers: findOffers,
  flags: (command) =>
    addFindFlags(command)
      .optionsGroup('Flags:')
      .option(
        '--until-idle <duration>',
        'end when nothing has happened for so long, such as 5m',
        parseDuration('--until-idle'),
      )
      .option('--count <n>', 'end after so many lines', parseInteger('--count', { min: 1 }))
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
    const { watchList } = await import('../../lib/find/watch/watch-list.ts');
    return await watchList(context, options, pollingOf(options));
  },
});
