import type { System } from '../system/system.ts';
import { duration } from '../text/time-in-words.ts';
import { type Check, failed, ok, skipped, warning } from './check.ts';
import type { ServiceProbe } from './probe-service.ts';

/** A difference in milliseconds that matters: emails and campaigns are scheduled to the minute. */
const noticeable = 60_000;
/** From this difference on, certificates and signatures are misjudged, too. */
const harmful = 5 * 60_000;

/** Checks that this machine and the service agree on the time. */
export function checkClock(
  { platform }: Pick<System, 'platform'>,
  answer: ServiceProbe | undefined,
): Check {
  if (answer?.reply === undefined)
    return skipped('clock', 'There was no response to compare it with');
  const theirs = Date.parse(answer.reply.headers.date ?? '');
  if (Number.isNaN(theirs)) return skipped('clock', 'The response has no date');
  const difference = answer.at - theirs;
  const distance = Math.abs(difference);
  const word = difference > 0 ? 'ahead of' : 'behind';
  if (distance <= noticeable) return ok('clock', `Within a minute of the service's`);
  const detail = `This machine's clock is ${duration(distance)} ${word} the service's`;
  const remedy = `Turn on network time: ${setTime[platform] ?? setTime.linux}`;
  return distance > harmful
    ? failed('clock', 'usage', detail, remedy)
    : warning('clock', detail, remedy);
}

const setTime: Partial<Record<NodeJS.Platform, string>> & { linux: string } = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
