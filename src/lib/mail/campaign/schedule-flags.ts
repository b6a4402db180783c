import { limits } from '../../../api/limits.ts';
import type { Input } from '../../../api/operations.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import type { Flags } from '../../command-line/command/command.ts';

export type ScheduleBody = Input<'campaign.schedule'>['body'];

/** The flag that gives each field of a schedule. A field without one fails the type check. */
export const scheduleFlagOf = {
  scheduledAt: '--scheduled-at',
  batchSize: '--batch-size',
} as const satisfies Record<keyof ScheduleBody, `--${string}`>;

/** Declares the flags of a schedule. */
export function addScheduleFlags(command: Flags) {
  return command
    .argument('<campaign>', 'id or exact name; @last for the last one created here')
    .option('--scheduled-at <when>', 'start then: ISO 8601, "tomorrow 9am", 2h')
    .option('--now', 'start at once')
    .option('--allow-past', 'allow a --scheduled-at in the past, which starts at once')
    .option(
      '--batch-size <n>',
      'emails per batch, 1 to 100000',
      parseInteger('--batch-size', limits.campaignBatchSize),
    );
}
