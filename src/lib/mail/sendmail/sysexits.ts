import {
  type ErrorCode,
  NotFoundError,
  problemOf,
  toError,
  UsageError,
} from '../../base/errors.ts';

/** The exit codes that callers of `sendmail` expect, from sysexits.h. */
export const sysexit = {
  usage: 64,
  badMessage: 65,
  noUser: 67,
  unavailable: 69,
  software: 70,
  tryLater: 75,
  noPermission: 77,
  config: 78,
} as const;

/** The exit code of each kind of error. */
export const sysexits = {
  usage: sysexit.usage,
  policy: sysexit.noPermission,
  approval_needed: sysexit.noPermission,
  rejected: sysexit.badMessage,
  conflict: sysexit.badMessage,
  auth: sysexit.noPermission,
  not_found: sysexit.unavailable,
  not_offered: sysexit.unavailable,
  rate_limited: sysexit.tryLater,
  unavailable: sysexit.tryLater,
  bad_reply: sysexit.tryLater,
  wait_failed: sysexit.software,
  wait_timeout: sysexit.software,
  partial: sysexit.software,
  // The message is accepted: a caller that sees an error would hand it over again.
  output_failed: 0,
  internal: sysexit.software,
  interrupted: 130,
  terminated: 143,
} as const satisfies Record<ErrorCode, number>;

/** Does some work; gives an error about its input this exit code, unless it has one. */
export async function endingWith<Value>(
  exitCode: number,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const isLocal = error instanceof NotFoundError && error.details.status === undefined;
    if (!(error instanceof UsageError || isLocal) || error.details.exitCode !== undefined)
      throw error;
    throw toError({ ...problemOf(error), exitCode });
  }
}
