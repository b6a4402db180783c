import { schemas } from '../../json-schemas/load.ts';
import type { AdvanceReply } from '../../json-schemas/sandbox.ts';
import { UnavailableError, UsageError } from '../../lib/base/errors.ts';
import { sandboxDirectory } from '../../lib/base/files/directories.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { record, time } from '../../lib/command-line/output/result.ts';
import { ClockOutOfRange, shownAdvanced } from '../../sandbox/model/advance.ts';
import { pagesOf } from '../../sandbox/model/api-account.ts';
import { StorageFailure } from '../../sandbox/store/storage-failure.ts';
import { durationOf } from '../../shared/duration.ts';

/** How long a served sandbox may take to run due jobs, in milliseconds. */
const longest = 600_000;

export const command = defineCommand({
  description:
    'Scheduled mail is sent, campaigns finish and verifications end, each at the time at which it was due, whether or not the sandbox is running.',
  effects: { local: true },
  prints: [
    documentOf('the times and what happened', schemas.sandbox('advanceReply'), {
      columns: [
        'to',
        'emailsSent',
        'campaignsFinished',
        'contactsStored',
        'verificationsEnded',
        'keysForgotten',
      ],
    }),
  ],
  takes: ['times'],
  quiet: 'only the new time',
  withoutAccount: true,
  examples: {
    'mailer sandbox advance 1d': 'Tomorrow: scheduled emails are sent, campaigns finish',
    'mailer sandbox advance 1h 30m': 'Several units, from days to milliseconds',
  },
  flags: (command) =>
    command.argument('<duration...>', 'how far to advance the clock, such as 30m, 2h or 1d'),
  async run(context, _options, words) {
    const by = milliseconds(words);
    const { openChosenAccount } = await import('../../local-service/chosen-account.ts');
    const { askSandbox, runningSandbox } = await import('../../local-service/running-sandbox.ts');
    const directory = sandboxDirectory(context.system);
    const running = await runningSandbox(context, directory);
    const sandbox = await openChosenAccount(context);
    try {
      const advanced = await sandbox.advance(by, async () => {
        // A running server goes first, since it can do more with emails than this process.
        if (running !== undefined) {
          await askSandbox(context, `${running.url}${pagesOf(sandbox.name)}/`, longest);
        }
        sandbox.catchUp(running?.url);
      });
      const reply: AdvanceReply = shownAdvanced(advanced);
      return record({
        reply,
        quiet: reply.now,
        carriedOut: { what: `The clock of the sandbox is at ${reply.now}.` },
        rows: [
          ['from', 'From', time(reply.from, { seconds: true })],
          ['now', 'To', time(reply.now, { seconds: true })],
          ['emails', 'Emails sent', reply.emails],
          ['events', 'Events', reply.events],
          ['campaigns', 'Campaigns finished', reply.campaigns],
          ['contacts', 'Contacts stored', reply.contacts],
          ['domains', 'Verifications ended', reply.domains],
          ['idempotencyKeys', 'Keys forgotten', reply.idempotencyKeys],
        ],
      });
    } catch (error) {
      if (error instanceof ClockOutOfRange) {
        throw new UsageError(`${error.message}.`, { cause: error });
      }
      if (!(error instanceof StorageFailure)) throw error;
      throw new UnavailableError(error.message, {
        hint: 'Jobs that are due by its clock (mailer sandbox status) run as soon as possible.',
        cause: error,
      });
    } finally {
      sandbox.close();
    }
  },
});

function milliseconds(words: readonly string[]): number {
  const by = durationOf(words.join(''));
  if (by !== undefined && by > 0) return by;
  throw new UsageError(`${JSON.stringify(words.join(' '))} is not a duration`, {
    hint: 'Write 30m, 2h, 1d or 1d 12h: the clock of the sandbox only goes forward.',
  });
}
