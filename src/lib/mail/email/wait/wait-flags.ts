import { UsageError } from '../../../base/errors.ts';
import { choice } from '../../../command-line/command/flags/choice.ts';
import { heartbeatFlag, pollingOf, waitTimeoutFlag } from '../../../command-line/command/poll.ts';
import { waitStatuses } from '../email-outcome.ts';

export type EmailWait = NonNullable<ReturnType<typeof emailWait>>;

const defaultWaitTimeout = '5m';

/** The other flags of a wait, as help shows them. */
export const waitFlags = {
  waitTimeout: waitTimeoutFlag(defaultWaitTimeout),
  waitTimeoutOfAll: waitTimeoutFlag(`${defaultWaitTimeout} + 1s per email`),
  heartbeat: heartbeatFlag,
} as const;

/** The flag that waits for a status. */
export function waitFlag() {
  const text = 'wait for DELIVERED, or OPENED, CLICKED, BOUNCED …';
  return choice('--wait [status]', waitStatuses, text, {
    hint: 'The status follows an equals sign: --wait=OPENED',
    ifEmpty: 'DELIVERED',
  });
}

/** The value of `--wait` or `--wait=STATUS`; undefined without the flag. */
export function emailWait(flags: {
  wait?: string | true | undefined;
  waitTimeout?: string | undefined;
  heartbeat?: string | undefined;
}) {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    if (flags.heartbeat !== undefined) throw new UsageError('--heartbeat needs --wait');
    return undefined;
  }
  /** One of those in `waitStatuses`. */
  const until = flags.wait === true ? 'DELIVERED' : flags.wait;
  const { timeout, heartbeat } = pollingOf(flags, defaultWaitTimeout);
  /** Whether the time was not given. */
  const isUsual = flags.waitTimeout === undefined;
  return { until, timeout, heartbeat, isUsual };
}
