import { heartbeatFlag, pollingOf, waitTimeoutFlag } from '../../command/poll.ts';
import { UsageError } from '../../errors.ts';
import { parseChoice } from '../../input/choice.ts';
import { waitStatuses } from '../email-outcome.ts';

export interface EmailWait {
  /** The status to wait for: one of those in `waitStatuses`. */
  readonly until: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly heartbeat: number;
  /** Whether this time was not given. */
  readonly isUsual: boolean;
}

const defaultWaitTimeout = '5m';

/** The flags, as help shows them. */
export const waitFlags = {
  wait: ['--wait [status]', 'wait for DELIVERED, or OPENED, CLICKED, BOUNCED …'],
  waitTimeout: waitTimeoutFlag(defaultWaitTimeout),
  waitTimeoutOfAll: waitTimeoutFlag(`${defaultWaitTimeout} + 1s per email`),
  heartbeat: heartbeatFlag,
} as const;

const statusOf = parseChoice(
  '--wait',
  waitStatuses,
  'The status follows an equals sign: --wait=OPENED',
);

/** The value of `--wait` or `--wait=STATUS`; undefined without the flag. */
export function emailWait(flags: {
  wait?: string | true | undefined;
  waitTimeout?: string | undefined;
  heartbeat?: string | undefined;
}): EmailWait | undefined {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    if (flags.heartbeat !== undefined) throw new UsageError('--heartbeat needs --wait');
    return undefined;
  }
  const until = flags.wait === true || flags.wait === '' ? 'DELIVERED' : statusOf(flags.wait);
  const { timeout, heartbeat } = pollingOf(flags, defaultWaitTimeout);
  return { until, timeout, heartbeat, isUsual: flags.waitTimeout === undefined };
}
