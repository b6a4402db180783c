import { realpathSync } from 'node:fs';
import { attempt } from '../../../shared/attempt.ts';
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

/** What `TZ` says that the runtime may not know. */
export interface MachineZone {
  /** As `Intl` takes it; undefined if the runtime knows it by itself, or nobody does. */
  readonly timeZone?: string;
  /** Whether the zone is unknown, so that times without a zone mean nothing. */
  readonly isUnknown?: true;
}

/**
 * Reads the variable `TZ`: a name, a path to its file, or an offset as POSIX writes it, such as `JST-9`, which is 9 hours
 * ahead of UTC. Rules of POSIX for daylight saving time stay unknown.
 */
export function readMachineZone(variable: string): MachineZone {
  const name = variable.replace(/^:/, '');
  const named = /(?:^|\/)zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(linked(name))?.[1] ?? name;
  if (/^[A-Za-z]/.test(named) && isZone(named)) return { timeZone: named };
  const posix = /^(?:[A-Za-z]{3,}|<[\w+-]+>)([+-]?)(\d{1,2})(?::([0-5]\d))?(?::00)?$/.exec(name);
  const [, sign, hours = '', minutes = '00'] = posix ?? [];
  if (posix === null || Number(hours) > 23) return { isUnknown: true };
  const offset = `${hours.padStart(2, '0')}:${minutes}`;
  return { timeZone: offset === '00:00' ? 'UTC' : `${sign === '-' ? '+' : '-'}${offset}` };
}

/** The path to which the path of the machine's own zone is a link; others as they are. */
function linked(path: string): string {
  if (path !== '/etc/localtime' && path !== 'localtime') return path;
  return attempt(() => realpathSync('/etc/localtime'), path);
}

/** The `UsageError` for a time that depends on an unknown `TZ`. */
export function unknownMachineZone(shown: string, variable: string): UsageError {
  const abbreviation = /^:?([A-Za-z]{3,})/.exec(variable)?.[1] ?? '';
  const [zone = 'Europe/Berlin'] = zonesNamed(abbreviation);
  return new UsageError(
    `${shown} depends on the time zone, and mailer does not understand TZ=${visible(variable)}`,
    {
      hint: `Name the zone, as in --timezone ${zone}, or write the time with its offset from UTC.`,
    },
  );
}

/** What may follow a time after a space. An offset without UTC needs an hour before it. */
const zoneAtEnd =
  / (Z|(?:UTC|GMT)(?: ?[+-]\d{1,2}(?::?\d\d)?)?|(?<=(?::\d\d|[ap]\.?m\.?|noon|midnight) )[+-]\d\d:?\d\d|[a-z_]+(?:\/[a-z\d_+-]+)+)$/i;

/** The zone as Java and JavaScript write it after a time, as in `2027-01-01T09:00+01:00[Europe/Paris]`. */
export const zoneInBrackets = / ?\[!?([^[\]]+)\]$/;

/**
 * Splits a time from the zone after it: `tomorrow 9am` and `Europe/Berlin`. Throws a `UsageError`
 * for a name with a slash that is no zone.
 */
export function splitZone(words: string, flag: string): { time: string; zone?: string } {
  const [end = '', name] = zoneInBrackets.exec(words) ?? zoneAtEnd.exec(words) ?? [];
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
