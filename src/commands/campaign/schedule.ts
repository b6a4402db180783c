import { explainFailedSchedule } from '../../lib/campaign/failed-schedule.ts';
import { withCampaign } from '../../lib/campaign/find.ts';
import { lookFirst } from '../../lib/campaign/look-first.ts';
import {
  addScheduleFlags,
  type ScheduleBody,
  scheduleFlagOf,
} from '../../lib/campaign/schedule-flags.ts';
import { warnOfStored } from '../../lib/campaign/unfilled.ts';
import { askForValues } from '../../lib/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { expectFlag } from '../../lib/command/flags/expect-flag.ts';
import { mergeFields } from '../../lib/command/flags/request-fields.ts';
import { scheduledInWords, scheduledTime } from '../../lib/command/flags/scheduled-time.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { assertSuccess } from '../../lib/command/success.ts';
import { UsageError } from '../../lib/errors.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation', 'times'],
  examples: [
    ['mailer campaign schedule "News of March" --scheduled-at "monday 10:30"', 'Start it then'],
    ['mailer campaign schedule cm3k9x2f8000008l4 --now --batch-size 1000', 'Start it at once'],
  ],
  flags: (command) => addScheduleFlags(command).option(...expectFlag),
  async run(context, { expect, ...options }, named) {
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
    return await withCampaign(context, named, async (campaignId, campaign) => {
      if (campaign?.status === 'SENT') {
        await context.prompts.confirm(
          `Campaign ${JSON.stringify(campaign.name ?? campaignId)} has been sent: scheduling it may send it again. Schedule it?`,
          'Nothing was scheduled',
        );
      }
      // It costs up to two requests, so only where a person can still say no.
      const asks = context.prompts.possible && context.flags.yes !== true;
      if (asks && (await warnOfStored(context, campaignId))) {
        await context.prompts.confirm('Schedule it anyway?', 'Nothing was scheduled');
      }
      const input = { params: { campaignId }, body };
      const hintIfUnknown = lookFirst(context, campaignId);
      const options = { nameOf, hintIfUnknown, expect };
      const reply = await context.call('campaign.schedule', input, options).catch(async (error) => {
        throw await explainFailedSchedule(error, context, campaignId);
      });
      assertSuccess(reply);
      return done({
        reply,
        ids: [campaignId],
        message:
          scheduledAt === undefined
            ? `Started. To follow it: ${nextCommand(context, 'campaign', 'watch', campaignId)}`
            : await scheduledInWords(scheduledAt, context),
      });
    });
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
