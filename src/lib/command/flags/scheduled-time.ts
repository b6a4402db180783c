import type { WhenOptions } from '../../input/when.ts';
import { formatInstant, toUtcSeconds } from '../../text/local-time.ts';
import type { Context } from '../context.ts';

/** What a command needs to read a time, and to say how it was read. */
type Reader = Pick<Context, 'timeZone' | 'clock' | 'notes' | 'flags'>;

/** What a time means in the time zone in use. Warns of one that clocks skip or show twice. */
export async function timeGiven(
  text: string,
  context: Reader,
  options: Omit<WhenOptions, 'now' | 'timeZone'>,
) {
  const { resolveWhen } = await import('../../input/when.ts');
  const timeZone = await context.timeZone();
  const now = (await context.clock())();
  const moment = resolveWhen(text, { now, timeZone, ...options });
  if (moment.warning !== undefined) context.notes.warn(moment.warning);
  return moment;
}

/**
 * A time to send at, in UTC, read in the time zone in use. Says what it means where its hour was chosen,
 * and in a dry run. A past one is a `UsageError`, or allowed.
 */
export async function scheduledTime(
  text: string,
  context: Reader,
  flag: string,
  allowPast: boolean,
): Promise<string> {
  const options = { flag, allowPast, allowPastFlag: true };
  const { date, hourChosen } = await timeGiven(text, context, options);
  if (hourChosen || context.flags.dryRun === true) {
    const time = formatInstant(date, await context.timeZone());
    context.notes.say(`${flag}: ${JSON.stringify(text)} means ${time}.`);
  }
  return toUtcSeconds(date);
}

/** That something was accepted for a time, local and UTC; for one in the past, that this means at once. */
export async function scheduledInWords(iso: string, context: Context): Promise<string> {
  const date = new Date(iso);
  const time = formatInstant(date, await context.timeZone());
  const isPast = date.getTime() < (await context.clock())();
  return isPast ? `Sent at once: ${time} is in the past.` : `Scheduled for ${time}.`;
}
