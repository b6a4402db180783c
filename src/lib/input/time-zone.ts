import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import { isZone, zonesNamed } from './time-zone-names.ts';

/**
 * A time zone as `Intl` takes it: an IANA name, `UTC`, or an offset such as `+02:00` for `UTC+2`.
 * Undefined for anything else, such as abbreviations: most stand for several zones, while `Intl`
 * knows a different set of them on each runtime, each as one zone.
 */
export function readZone(text: string): string | undefined {
  if (/^(?:Z|UTC|GMT)$/i.test(text)) return 'UTC';
  const offset = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(text);
  if (offset !== null) {
    const [, sign, hours = '', minutes = '00'] = offset;
    return Number(hours) > 14 ? undefined : `${sign}${hours.padStart(2, '0')}:${minutes}`;
  }
  return text.includes('/') && isZone(text) ? text : undefined;
}

/** The zone of `name`, as from `readZone`. Throws a `UsageError` if there is none. */
export function assertTimeZone(name: string, flag: string): string {
  return readZone(name) ?? refuseZone(name, flag);
}

/** What may follow a time after a space. An offset without UTC needs an hour before it. */
const zoneAtEnd =
  / (Z|(?:UTC|GMT)(?: ?[+-]\d{1,2}(?::?\d\d)?)?|(?<=(?::\d\d|[ap]\.?m\.?|noon|midnight) )[+-]\d\d:?\d\d|[a-z_]+(?:\/[a-z\d_+-]+)+)$/i;

/**
 * Splits a time from the zone after it: `tomorrow 9am` and `Europe/Berlin`. Throws a `UsageError`
 * for a name with a slash that is no zone.
 */
export function splitZone(words: string, flag: string): { time: string; zone?: string } {
  const [end = '', name] = zoneAtEnd.exec(words) ?? [];
  if (name === undefined) return { time: words };
  const zone = readZone(name) ?? refuseZone(name, flag, true);
  return { time: words.slice(0, -end.length), zone };
}

/** Splits a time from words that may be meant as a zone, such as `CET` or `New York`. */
export function splitMisnamedZone(words: string): { time: string; name: string } | undefined {
  const parts = words.split(' ');
  return [2, 1]
    .map((count) => ({
      time: parts.slice(0, -count).join(' '),
      name: parts.slice(-count).join(' '),
    }))
    .find(({ time, name }) => time !== '' && zonesNamed(name).length > 0);
}

/**
 * Throws the `UsageError` for an unknown zone, which is the value of `flag` or part of its time.
 */
export function refuseZone(name: string, flag: string, isInTime = false): never {
  const zones = zonesNamed(name);
  const use =
    zones.length === 0
      ? 'an IANA name, such as Europe/Berlin, America/New_York or UTC'
      : new Intl.ListFormat('en', { type: 'disjunction' }).format(zones);
  const place = isInTime ? ', in the time itself or as --timezone' : '';
  throw new UsageError(`${flag}: "${visible(name)}" is not a time zone`, {
    hint: `Use ${use}${place}. Or use an offset, such as UTC+2.`,
  });
}
