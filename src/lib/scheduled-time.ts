import type { Context } from './context.ts';

/**
 * A time to send at, as the service takes it: UTC with `Z`. English and times without a zone are
 * read in the time zone in force. Throws a `UsageError` for the past, unless it is allowed.
 */
export async function scheduledTime(
  text: string,
  context: Context,
  flag: string,
  allowPast: boolean,
): Promise<string> {
  const { resolveWhen, toUtcSeconds } = await import('./when.ts');
  const timeZone = await context.timeZone();
  const now = (await context.clock())();
  return toUtcSeconds(resolveWhen(text, { now, timeZone, flag, allowPast, allowPastFlag: true }));
}

/** A time for people: local and UTC. */
export async function timeInWords(iso: string, context: Context): Promise<string> {
  const { formatInstant } = await import('./when.ts');
  return formatInstant(new Date(iso), await context.timeZone());
}
