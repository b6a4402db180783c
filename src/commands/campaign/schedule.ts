import { UsageError } from '../../lib/base/errors.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { mergeFields } from '../../lib/command-line/command/flags/request-fields.ts';
import {
  scheduledInWords,
  scheduledTime,
} from '../../lib/command-line/command/flags/scheduled-time.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { startCampaign } from '../../lib/mail/campaign/confirm-start.ts';
import { explainFailedSchedule } from '../../lib/mail/campaign/failed-schedule.ts';
import {
  addScheduleFlags,
  type ScheduleBody,
  scheduleFlagOf,
} from '../../lib/mail/campaign/schedule-flags.ts';
import { addStartFlags } from '../../lib/mail/campaign/start-flags.ts';

export const command = defineCommand({
  description:
    'Either --scheduled-at or --now is required. The time is in your time zone unless it has its own, and must be in the future unless --allow-past is given. It is a conflict if the campaign was sent before or is being sent, or if another campaign sends the same people the same content, or the same subject from the same sender, less than 24 hours before or after; --again starts it. Before the campaign starts, mailer shows its sender, contact book, time and number of subscribed contacts (for a book of more than 5,000, of all contacts), and asks; without a terminal, it needs --yes. The question also says how many contacts have no value for a placeholder without a fallback; with --yes, that is an error unless --allow-blank is given. With --expect-contacts, it starts only if it goes to that many, even with --yes.',
  effects: { mails: true },
  exits: {
    4: 'there is no such campaign',
    5: 'without --again: the campaign was sent before, or is being sent, or another one sends the same less than 24 hours before or after',
  },
  prints: [replyOf('campaign.schedule')],
  takes: ['service', 'sandbox', 'dry runs', 'approval', 'confirmation', 'times'],
  examples: {
    'mailer campaign schedule "News of March" --scheduled-at "monday 10:30"': 'Start it then',
    'mailer campaign schedule cm3k9x2f8000008l4 --now --yes --expect-contacts 200..300':
      'Start it at once, in a script',
  },
  flags: (command) => addStartFlags(addScheduleFlags(command)),
  async run(context, options, named) {
    const scheduledAt = await startTime(context, options);
    const { fields, nameOf } = mergeFields({
      file: {},
      flags: { scheduledAt, batchSize: options.batchSize } satisfies Record<
        keyof ScheduleBody,
        unknown
      >,
      flagOf: scheduleFlagOf,
    });
    const body: ScheduleBody = fields;
    const how = () => ({
      question: scheduledAt === undefined ? 'Start it?' : 'Schedule it?',
      undone: scheduledAt === undefined ? 'Nothing was started' : 'Nothing was scheduled',
      scheduledAt,
    });
    return await startCampaign(
      context,
      named,
      how,
      options,
      async (campaignId, passed, sending) => {
        const input = { params: { campaignId }, body };
        const reply = await context
          .callPassed(passed, 'campaign.schedule', input, { nameOf, ...sending })
          .catch(async (error) => {
            throw await explainFailedSchedule(error, context, campaignId);
          });
        return done({
          reply,
          ids: [campaignId],
          message:
            scheduledAt === undefined
              ? `The service starts it now. To follow it: ${nextCommand(context, 'campaign', 'watch', campaignId)}`
              : await scheduledInWords(scheduledAt, context),
        });
      },
    );
  },
});

/** When to start, in the format of the service; undefined for now. */
async function startTime(
  context: Context,
  options: {
    scheduledAt?: string | undefined;
    now?: true | undefined;
    allowPast?: true | undefined;
  },
): Promise<string | undefined> {
  if (options.now === true && options.scheduledAt) {
    throw new UsageError('--now and --scheduled-at cannot be used together');
  }
  if (options.now === true) return undefined;
  const [when = ''] = await askForValues(
    [{ flag: '--scheduled-at', question: 'Start when', value: options.scheduledAt }],
    context.prompts,
    'To start at once, add --now.',
  );
  return await scheduledTime(when, context, '--scheduled-at', options.allowPast === true);
}
