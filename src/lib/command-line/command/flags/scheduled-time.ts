import { unknownMachineZone } from '../../../base/input/time-zone.ts';
import type { WhenOptions } from '../../../base/input/when.ts';
import { formatInstant, toUtcSeconds } from '../../../base/text/local-time.ts';
import type { Context } from '../context.ts';

/** What a command needs to read a time and to report how it was read. */
type Reader = Pick<Context, 'timeZone' | 'knowsTimeZone' | 'clock' | 'notes' | 'flags' | 'system'>;

/** The same, of a command that sends the time to the service. */
type ServiceReader = Reader & Pick<Context, 'serviceClock'>;

/**
 * The instant of a time in the time zone in use. Warns if clocks skip the time or show it twice.
 */
export async function timeGiven(
  text: string,
  context: Reader,
  options: Omit<WhenOptions, 'now' | 'timeZone'>,
) {
  const { resolveWhen } = await import('../../../base/input/when.ts');
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

/** The same reader, with the service's clock. */
function atService(context: ServiceReader, how: 'ask' | 'follow'): Reader {
  return { ...context, clock: () => context.serviceClock(how) };
}

/** One end of a past period at the service. */
export async function servicePeriodBound(
  text: string,
  context: ServiceReader,
  flag: '--since' | '--until',
): Promise<Date> {
  return await periodBound(text, atService(context, 'follow'), flag);
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

async function sayMeaning(text: string, date: Date, context: Reader, flag: string, by = '') {
  const time = formatInstant(date, await context.timeZone());
  context.notes.say(`${flag}: ${JSON.stringify(text)} means ${time}${by}.`);
}

/**
 * A time to send at, in UTC, read in the time zone in use. Reports the instant if its hour or day
 * was chosen for the user, and in a dry run. Throws a `UsageError` for a past time unless that is
 * allowed.
 */
export async function scheduledTime(
  text: string,
  context: ServiceReader,
  flag: string,
  allowPast: boolean,
): Promise<string> {
  const options = { flag, allowPast, allowPastFlag: true };
  const reader = atService(context, 'ask');
  const { date, hourChosen, dayChosen } = await timeGiven(text, reader, options);
  const { dryRun, sandbox } = context.flags;
  if (hourChosen || dayChosen || dryRun === true) {
    const by = dryRun === true && sandbox !== true ? ", by this machine's clock" : '';
    await sayMeaning(text, date, context, flag, by);
  }
  return toUtcSeconds(date);
}

/** Tells when an accepted email is due, local and UTC; in the past, that it is sent at once. */
export async function scheduledInWords(iso: string, context: Context): Promise<string> {
  const date = new Date(iso);
  const time = formatInstant(date, await context.timeZone());
  const isPast = date.getTime() < (await context.serviceClock('ask'))();
  return isPast ? `Sent at once: ${time} is in the past.` : `Scheduled for ${time}.`;
}
