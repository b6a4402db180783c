import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import { isZone, zonesNamed } from './time-zone-names.ts';

/**
 * A time zone as `Intl` takes it: an IANA name, `UTC`, or an offset such as `+02:00` for `UTC+2`.
 * Undefined for all else. Abbreviations are none: most stand for several zones, and `Intl` knows
 * some of them, another set on every runtime, each as one zone.
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

/** `name` as `readZone` has it; throws `UsageError` when it is no time zone. */
export function assertTimeZone(name: string, flag: string): string {
  return readZone(name) ?? refuseZone(name, flag);
}

/** What may end a time, after a space. Only an hour may be followed by an offset without UTC. */
const zoneAtEnd =
  / (Z|(?:UTC|GMT)(?: ?[+-]\d{1,2}(?::?\d\d)?)?|(?<=(?::\d\d|[ap]\.?m\.?|noon|midnight) )[+-]\d\d:?\d\d|[a-z_]+(?:\/[a-z\d_+-]+)+)$/i;

/**
 * A time, and the zone that is written after it: `tomorrow 9am` and `Europe/Berlin`. Throws a
 * `UsageError` for a name with a slash that is no zone.
 */
export function splitZone(words: string, flag: string): { time: string; zone?: string } {
  const [end = '', name] = zoneAtEnd.exec(words) ?? [];
  if (name === undefined) return { time: words };
  const zone = readZone(name) ?? refuseZone(name, flag, true);
  return { time: words.slice(0, -end.length), zone };
}

/** The time before what may be meant as a zone, such as `CET` or `New York`, and that. */
export function splitMisnamedZone(words: string): { time: string; name: string } | undefined {
  const parts = words.split(' ');
  return [2, 1]
    .map((count) => ({
      time: parts.slice(0, -count).join(' '),
      name: parts.slice(-count).join(' '),
    }))
    .find(({ time, name }) => time !== '' && zonesNamed(name).length > 0);
}

/** Throws the `UsageError` for a name that is no zone, the value of `flag` or in a time that is. */
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
