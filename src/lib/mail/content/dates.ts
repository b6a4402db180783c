import type { Liquid, Context as LiquidContext } from 'liquidjs';
import { UsageError } from '../../base/errors.ts';
import { assertTimeZone, unknownMachineZone } from '../../base/input/time-zone.ts';
import { localTimeAt, wallClock } from '../../base/input/wall-clock.ts';
import { readIso, resolveWhen } from '../../base/input/when.ts';
import type { Context } from '../../command-line/command/context.ts';

/** What dates in templates depend on. */
export type Times = Pick<Context, 'timeZone' | 'knowsTimeZone' | 'clock' | 'system'>;

/** Has the filters of Liquid that write a date read it as `mailer` reads times. */
export type ReadDates = (liquid: Liquid) => void;

const filters = [
  'date',
  'date_to_xmlschema',
  'date_to_rfc822',
  'date_to_string',
  'date_to_long_string',
];

/** Seconds since 1970 are between these, from 1973 to 5138: others are years, days of Excel, or milliseconds. */
const seconds = [1e8, 1e11] as const;

/** A date that a filter writes. */
interface Moment {
  /** Milliseconds since 1970. */
  readonly instant: number;
  /** What a clock shows, in milliseconds as if in UTC. */
  readonly wall: number;
  readonly zone: string;
}

/**
 * Has filters read dates in the time zone in use: one without an hour is that day everywhere. What is ambiguous or
 * no date is an error of the filter.
 */
export async function createReadDates(times: Times): Promise<ReadDates> {
  const timeZone = await times.timeZone();
  const isKnown = await times.knowsTimeZone();
  const now = (await times.clock())();
  const momentOf = (value: unknown, zoneGiven: unknown): Moment => {
    const zone = zoneOf(zoneGiven) ?? timeZone;
    const shown = `date: ${JSON.stringify(value)}`;
    const at = (instant: number, shownIn = zone): Moment => {
      if (!isKnown && shownIn === timeZone && zoneGiven === undefined) {
        throw unknownMachineZone(shown, times.system.env.TZ ?? '');
      }
      return { instant, wall: wallClock(instant, shownIn), zone: shownIn };
    };
    const text = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : undefined;
    if (text === 'now' || text === 'today') return at(now);
    if (text === undefined || /^\d+$/.test(text)) {
      const number = text === undefined && typeof value !== 'number' ? Number.NaN : Number(value);
      if (number >= seconds[0] && number < seconds[1]) return at(number * 1000);
      throw new UsageError(`${shown} is not a date`, {
        hint: 'Write year, month and day, as in 2027-04-03, or the seconds since 1970.',
      });
    }
    const iso = readIso(text);
    if (iso === undefined || iso.offset !== undefined || Number.isNaN(iso.wall)) {
      const options = { now, timeZone, flag: 'date', allowPast: true };
      const { date, hourChosen } = resolveWhen(text, options);
      return at(date.getTime(), hourChosen ? timeZone : zone);
    }
    const { instant } = localTimeAt(iso.wall, timeZone);
    // Before 1970, the offsets of zones have seconds.
    if (Number.isNaN(instant)) return { instant: iso.wall, wall: iso.wall, zone: 'UTC' };
    if (iso.hasHour && zone !== timeZone) return at(instant);
    return { instant, wall: iso.wall, zone: timeZone };
  };
  return (liquid) => {
    for (const name of filters) replaceFilter(liquid, name, momentOf);
  };
}

function replaceFilter(
  liquid: Liquid,
  name: string,
  momentOf: (value: unknown, zone: unknown) => Moment,
): void {
  const filter = liquid.filters[name];
  if (typeof filter !== 'function') return;
  liquid.registerFilter(name, function (given: unknown, ...args: unknown[]) {
    const value: unknown = given instanceof Object ? given.valueOf() : given;
    if (value === undefined || value === null) return filter.call(this, given, ...args);
    const { instant, wall, zone } = read(() =>
      momentOf(value, name === 'date' ? args[1] : undefined),
    );
    const format = plain(args[0]);
    if (name === 'date' && typeof format === 'string') refuseFormat(format);
    const named =
      name === 'date' && typeof format === 'string'
        ? [format.replace(/%([%Z])/g, (code) => (code === '%Z' ? zone : code))]
        : name === 'date'
          ? []
          : args;
    return filter.call(inOffset(this, instant, wall), new Date(instant), ...named);
  });
}

/** Throws for what would be written as it stands: Liquid knows the directives of strftime only. */
function refuseFormat(format: string): void {
  const directives = [...format.matchAll(/%[-_0^#:]*\d*[EO]?(.?)/gsu)];
  const unknown = directives.find(
    ([, code = '']) => !/^[aAbBcCdehHIjklLmMNpPqsSuUwWxXyYzZ%]$/.test(code),
  );
  const problem =
    unknown !== undefined
      ? `"${unknown[0]}" in "${format}" is not known`
      : directives.some(([, code]) => code !== '%')
        ? undefined
        : `"${format}" has no directive such as %d`;
  if (problem === undefined) return;
  throw new Error(`date: ${problem}. Write day, month and year as in "%d.%m.%Y" or "%-d %B %Y"`);
}

/** Liquid's message has no hint. */
function read(moment: () => Moment): Moment {
  try {
    return moment();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, details } = error;
    // Liquid adds the line.
    const sentences = [message, details.hint?.replace(/\.$/, '')].filter(Boolean).join('. ');
    throw new Error(sentences, { cause: error });
  }
}

/**
 * A filter that writes this instant as the wall clock shows it. Liquid shows the clock of the machine, shifted by a number of
 * minutes, which is not the zone's offset where the machine's clock changes in between. Throws for an hour that the
 * machine's clock skips, which it cannot show.
 */
function inOffset<Self extends { readonly context: LiquidContext }>(
  self: Self,
  instant: number,
  wall: number,
): Self {
  const utc = new Date(wall);
  const here = new Date(
    ...([utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate(), utc.getUTCHours()] as const),
    ...([utc.getUTCMinutes(), utc.getUTCSeconds(), utc.getUTCMilliseconds()] as const),
  );
  if (here.getHours() !== utc.getUTCHours()) {
    throw new Error(
      `date: the clock of this machine skips ${utc.toISOString().slice(0, 16).replace('T', ' ')}, so Liquid cannot write that hour. Set TZ=UTC for this command, and name the zone with --timezone`,
    );
  }
  const timezoneOffset =
    new Date(instant).getTimezoneOffset() - (here.getTime() - instant) / 60_000;
  const opts = { ...self.context.opts, timezoneOffset };
  return { ...self, context: Object.create(self.context, { opts: { value: opts } }) };
}

/** A zone as a template gives it: a name, or the minutes that it is behind UTC. */
function zoneOf(given: unknown): string | undefined {
  const zone = plain(given);
  if (typeof zone === 'string') return assertTimeZone(zone, 'date');
  if (typeof zone !== 'number') return undefined;
  const minutes = Math.abs(zone);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((one) =>
    String(one).padStart(2, '0'),
  );
  return `${zone > 0 ? '-' : '+'}${hour}:${minute}`;
}

function plain(value: unknown): unknown {
  return value instanceof Object ? value.valueOf() : value;
}
