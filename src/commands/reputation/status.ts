import type { ReputationStatus } from '../../api/reputation.ts';
import { reputationStates } from '../../api/reputation-states.ts';
import { WaitFailedError } from '../../lib/base/errors.ts';
import { percentage } from '../../lib/base/text/percent.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { type RecordResult, record, status, time } from '../../lib/command-line/output/result.ts';
import { parseStates, refuseUnknown } from '../../lib/command-line/reputation/reputation-gate.ts';
import {
  distanceOf,
  judgeStatus,
  parsePoints,
  points,
} from '../../lib/command-line/reputation/status-gate.ts';

export const command = defineCommand({
  description:
    'Rates and thresholds are percentages. With --fail-on and --min-distance, it can stop a deploy: --min-distance 0.5 fails if the bounce rate is less than 0.5 percentage points below the threshold at which the service blocks the account. If the sample is too small to judge, --min-distance is not applied.',
  effects: { reads: true },
  exits: {
    4: 'the service does not report the reputation of accounts',
    9: 'with --fail-on or --min-distance: the account is in one of these states, or too close to being blocked',
  },
  prints: [replyOf('reputation.status')],
  takes: ['service', 'sandbox', 'times'],
  examples: {
    'mailer reputation status': 'The state of the account, and how far it is from being blocked',
    'mailer reputation status --fail-on CRITICAL BLOCKED --min-distance 0.5':
      'In CI: stop before a campaign is sent',
  },
  quiet: 'only the state',
  flags: (command) =>
    command
      .addOption(
        repeatableOption(
          '--fail-on <state...>',
          `exit with 9 if the state is one of these: ${reputationStates.join(', ')}`,
          reputationStates,
        ),
      )
      .option(
        '--min-distance <points>',
        'exit with 9 if the bounce rate is closer to blocking, in percentage points: 0.5 fails above 9.5% if accounts are blocked at 10%',
        parsePoints('--min-distance'),
      ),
  async run(context, { failOn, minDistance }) {
    const states = failOn === undefined ? [] : parseStates(failOn);
    const reply = await context.call('reputation.status', {});
    refuseUnknown(states, [reply.state], 'is not a known state');
    const { reason, note } = judgeStatus(reply, { states, minDistance });
    if (note !== undefined) context.notes.warn(note);
    return {
      ...shown(reply),
      failure: reason === undefined ? undefined : new WaitFailedError(reason),
    };
  },
});

function shown(reply: ReputationStatus): RecordResult {
  const { thresholds } = reply;
  const distance = distanceOf(reply);
  return record({
    reply,
    rows: [
      ['state', 'State', status(reply.state)],
      ['bounceRate', 'Bounce rate', percentage(reply.bounceRate)],
      ['distanceToBlock', 'To blocking', distance === undefined ? undefined : points(distance)],
      ['shortWindowBounceRate', 'Latest rate', percentage(reply.shortWindowBounceRate)],
      ['complaintRate', 'Complaint rate', percentage(reply.complaintRate)],
      ['sampleSize', 'Emails counted', reply.sampleSize],
      ['sampleSufficient', 'Enough to judge', reply.sampleSufficient],
      ['windowDays', 'Days counted', reply.windowDays],
      ['thresholds.warning', 'Warning from', percentage(thresholds?.warning)],
      ['thresholds.critical', 'Critical from', percentage(thresholds?.critical)],
      ['thresholds.block', 'Blocked from', percentage(thresholds?.block)],
      ['thresholds.unblock', 'Unblocked below', percentage(thresholds?.unblock)],
      ['blockedAt', 'Blocked', time(reply.blockedAt)],
      ['blockedReason', 'Reason', reply.blockedReason],
      ['supervisedUntil', 'Supervised until', time(reply.supervisedUntil)],
      ['supervisedDailyLimit', 'Emails per day', reply.supervisedDailyLimit],
    ],
    quiet: reply.state,
  });
}
