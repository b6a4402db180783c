import type { Email } from '../../api/email.ts';
import type { Context } from '../context.ts';
import {
  BadReplyError,
  MailerError,
  UsageError,
  WaitFailedError,
  WaitTimeoutError,
} from '../errors.ts';
import { nextCommand } from '../next-command.ts';
import { eventDetail, inOrder, latestStatus } from './history.ts';

/** How an email goes on while all is well; reaching one includes those before it. */
const goodOrder = ['SENT', 'DELIVERED', 'OPENED', 'CLICKED'];

/** Statuses after which nothing good follows. */
const badEnds = new Set([
  'BOUNCED',
  'REJECTED',
  'RENDERING_FAILURE',
  'FAILED',
  'CANCELLED',
  'SUPPRESSED',
  'COMPLAINED',
]);

const firstInterval = 500;
const longestInterval = 10_000;
export const defaultWaitTimeout = '5m';

export interface WaitOptions {
  /** The status to wait for: one of those in `waitStatuses`. */
  readonly until: string;
  /** Milliseconds. */
  readonly timeout: number;
}

/** Statuses that can be waited for. */
export const waitStatuses: readonly string[] = [...goodOrder, ...badEnds];

/** What `--wait` and `--wait=STATUS` ask for; undefined without the flag. */
export async function waitOptions(flags: {
  wait?: string | true | undefined;
  waitTimeout?: string | undefined;
}): Promise<WaitOptions | undefined> {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    return undefined;
  }
  const until = flags.wait === true || flags.wait === '' ? 'DELIVERED' : flags.wait.toUpperCase();
  if (!waitStatuses.includes(until)) {
    throw new UsageError(
      `--wait: ${JSON.stringify(flags.wait)} is not one of ${waitStatuses.join(', ')}`,
      { hint: 'The status follows an equals sign: --wait=OPENED' },
    );
  }
  const { parseDuration } = await import('../when.ts');
  const timeout = parseDuration(flags.waitTimeout ?? defaultWaitTimeout, '--wait-timeout');
  return { until, timeout };
}

/**
 * Follows an email, at growing intervals, until it has reached a status. Throws a
 * `WaitFailedError` when it ends badly instead, and a `WaitTimeoutError` when time is up.
 */
export async function waitForEmail(
  context: Context,
  emailId: string,
  { until, timeout }: WaitOptions,
): Promise<Email> {
  const { system, progress } = context;
  const deadline = system.now() + timeout;
  return await progress.during(`Waiting for ${until}`, async () => {
    for (let interval = firstInterval; ; interval = Math.min(interval * 1.5, longestInterval)) {
      const email = await context.call('email.get', { params: { emailId } });
      if (hasReached(email, until)) return email;
      refuseBadEnd(context, email, until);
      const status = latestStatus(email.emailEvents) ?? 'not reported on yet';
      const left = deadline - system.now();
      if (left <= 0) {
        throw new WaitTimeoutError(
          `Email ${emailId} is ${status}, not ${until}, when time is up.`,
          {
            hint: `To go on waiting: ${nextCommand(context, 'email', 'get', emailId, `--wait=${until}`)}`,
          },
        );
      }
      progress.update(`Waiting for ${until}; now ${status}`);
      await system.sleep(Math.min(interval, left), system.signal);
    }
  });
}

/**
 * The same for an email that has just been sent: when following it fails, the error says that it
 * was accepted, so that nobody sends it again.
 */
export async function waitForSent(
  context: Context,
  emailId: string,
  options: WaitOptions,
): Promise<Email> {
  const { pathId } = await import('../../api/fields.ts');
  if (!pathId.safeParse(emailId).success) {
    throw new BadReplyError(
      `The email was accepted, but under an id that cannot be asked for: ${JSON.stringify(emailId)}`,
    );
  }
  try {
    return await waitForEmail(context, emailId, options);
  } catch (error) {
    const saysSo = error instanceof WaitFailedError || error instanceof WaitTimeoutError;
    if (error instanceof MailerError && !saysSo) {
      const again = nextCommand(context, 'email', 'get', emailId, `--wait=${options.until}`);
      const hint = `The email was accepted, as ${emailId}. To go on waiting: ${again}`;
      error.details = { ...error.details, hint };
    }
    throw error;
  }
}

function hasReached({ emailEvents }: Email, until: string): boolean {
  const enough = goodOrder.includes(until) ? goodOrder.slice(goodOrder.indexOf(until)) : [until];
  return emailEvents.some(({ status }) => enough.includes(status));
}

function refuseBadEnd(context: Context, { id, emailEvents }: Email, until: string): void {
  const bad = inOrder(emailEvents).find(({ status }) => badEnds.has(status));
  if (bad === undefined) return;
  const detail = eventDetail(bad);
  throw new WaitFailedError(
    `Email ${id} is ${bad.status}, not ${until}${detail === '' ? '.' : `: ${detail}`}`,
    { hint: `Its history: ${nextCommand(context, 'email', 'get', id)}` },
  );
}
