import type { Context } from './context.ts';

/** A time to send at, in UTC, read in the time zone in use. A past one is a `UsageError`, or allowed. */
export async function scheduledTime(
  text: string,
  context: Context,
  flag: string,
  allowPast: boolean,
): Promise<string> {
  const { resolveWhen, toUtcSeconds } = await import('../input/when.ts');
  const timeZone = await context.timeZone();
  const now = (await context.clock())();
  return toUtcSeconds(resolveWhen(text, { now, timeZone, flag, allowPast, allowPastFlag: true }));
}

/** That something was accepted for a time, local and UTC; for one in the past, that it means at once. */
export async function scheduledInWords(iso: string, context: Context): Promise<string> {
  const { formatInstant } = await import('../input/when.ts');
  const date = new Date(iso);
  const time = formatInstant(date, await context.timeZone());
  const isPast = date.getTime() < (await context.clock())();
  return isPast ? `Accepted to go out at once: ${time} is in the past.` : `Scheduled for ${time}.`;
}
