/** A date in a time zone: `2026-11-21 09:12`, with `seconds` `09:12:05`, with `offset` `09:12 GMT+1`. */
export function localTime(
  date: Date,
  timeZone: string,
  {
    seconds = false,
    offset = false,
  }: { seconds?: boolean | undefined; offset?: boolean | undefined } = {},
): string {
  // The Swedish format is the ISO format.
  const shown = formatFor('sv-SE', timeZone, {
    dateStyle: 'short',
    timeStyle: seconds ? 'medium' : 'short',
  }).format(date);
  return offset ? `${shown} ${partsOf(date, timeZone).timeZoneName}` : shown;
}

/** `date` for people, local and UTC: `Sun 22 Nov 2026, 09:00 GMT+1 (2026-11-22T08:00:00Z)`. */
export function formatInstant(date: Date, timeZone: string): string {
  const { weekday, day, month, year, hour, minute, timeZoneName } = partsOf(date, timeZone);
  const local = `${weekday} ${day} ${month} ${year}, ${hour}:${minute} ${timeZoneName}`;
  return `${local} (${toUtcSeconds(date)})`;
}

/** ISO 8601 in UTC: `2026-11-22T08:00:00Z`, with milliseconds only if they are not zero. */
export function toUtcSeconds(date: Date): string {
  return date.toISOString().replace('.000Z', 'Z');
}

function partsOf(date: Date, timeZone: string): Partial<Record<string, string>> {
  const parts = formatFor('en-US', timeZone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  }).formatToParts(date);
  // Newer versions of Node return GMT+0.
  return Object.fromEntries(
    parts.map(({ type, value }) => [type, value.replace(/^GMT\+0$/, 'GMT')]),
  );
}

/** Cached, because each takes tens of kilobytes. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions) {
  const kind = [locale, timeZone, options.timeStyle].join(' ');
  const format = formats.get(kind) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(kind, format);
  return format;
}
