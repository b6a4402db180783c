import { unknownMachineZone } from '../../input/time-zone.ts';
import type { WhenOptions } from '../../input/when.ts';
import { formatInstant, toUtcSeconds } from '../../text/local-time.ts';
import type { Context } from '../context.ts';

/** What a command needs to read a time and to report how it was read. */
type Reader = Pick<Context, 'timeZone' | 'knowsTimeZone' | 'clock' | 'notes' | 'flags' | 'system'>;

/**
 * The instant of a time in the time zone in use. Warns if clocks skip the time or show it twice.
 */
export async function timeGiven(
  text: string,
  context: Reader,
  options: Omit<WhenOptions, 'now' | 'timeZone'>,
) {
  const { resolveWhen } = await import('../../input/when.ts');
  const timeZone = await context.timeZone();
  const now = (await context.clock())();
  const moment = resolveWhen(text, { now, timeZone, ...options });
  if (!(await context.knowsTimeZone())) {
    // What has a zone of its own is the same time everywhere.
    const elsewhere = resolveWhen(text, { now, ...options, timeZone: '+11:00', allowPast: true });
    if (elsewhere.date.getTime() !== moment.date.getTime()) {
      const shown = `${options.flag}: ${JSON.stringify(text)}`;
      throw unknownMachineZone(shown, context.system.env.TZ ?? '');
    }
  }
  if (moment.warning !== undefined) context.notes.warn(moment.warning);
  return moment;
}

/** One end of a past period. Reports a day that was chosen for the user. */
export async function periodBound(
  text: string,
  context: Reader,
  flag: '--since' | '--until',
): Promise<Date> {
  const bound = flag === '--since' ? 'start' : 'end';
  const { date, dayChosen } = await timeGiven(text, context, { flag, direction: 'past', bound });
  if (dayChosen) await sayMeaning(text, date, context, flag);
  return date;
}

async function sayMeaning(text: string, date: Date, context: Reader, flag: string) {
  const time = formatInstant(date, await context.timeZone());
  context.notes.say(`${flag}: ${JSON.stringify(text)} means ${time}.`);
}

/**
 * A time to send at, in UTC, read in the time zone in use. Reports the instant if its hour or day
 * was chosen for the user, and in a dry run. Throws a `UsageError` for a past time unless that is
 * allowed.
 */
export async function scheduledTime(
  text: string,
  context: Reader,
  flag: string,
  allowPast: boolean,
): Promise<string> {
  const options = { flag, allowPast, allowPastFlag: true };
  const { date, hourChosen, dayChosen } = await timeGiven(text, context, options);
  if (hourChosen || dayChosen || context.flags.dryRun === true) {
    await sayMeaning(text, date, context, flag);
  }
  return toUtcSeconds(date);
}

/** Tells when an accepted email is due, local and UTC; in the past, that it is sent at once. */
export async function scheduledInWords(iso: string, context: Context): Promise<string> {
  const date = new Date(iso);
  const time = formatInstant(date, await context.timeZone());
  const isPast = date.getTime() < (await context.clock())();
  return isPast ? `Sent at once: ${time} is in the past.` : `Scheduled for ${time}.`;
}
