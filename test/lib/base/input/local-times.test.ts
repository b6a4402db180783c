import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveWhen } from '../../../../src/lib/base/input/when.ts';

const hour = 60 * 60 * 1000;
const zones = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'America/New_York', 'America/St_Johns'],
  ...['America/Santiago', 'America/Havana', 'Asia/Beirut', 'Asia/Kathmandu', 'Asia/Kolkata'],
  ...['Africa/Casablanca', 'Africa/Cairo', 'Australia/Lord_Howe', 'Australia/Adelaide'],
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Apia', 'Pacific/Kiritimati', 'UTC'],
];
const anyZone = fc.constantFrom(...zones);
const instants = fc
  .integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2035, 0) / 1000 })
  .map((seconds) => seconds * 1000);

const clocks = new Map(
  zones.map((timeZone) => {
    const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const;
    return [timeZone, new Intl.DateTimeFormat('sv-SE', options)];
  }),
);

/** `2026-11-22 09:00:00`, as a zone's clocks show it. */
function shownIn(zone: string, instant: number): string {
  return clocks.get(zone)?.format(instant) ?? '';
}

/** The first clock change within a year after an instant, or the instant itself. */
function nextChange(zone: string, from: number): number {
  const offset = (instant: number) => Date.parse(`${shownIn(zone, instant)}Z`) - instant;
  for (let days = 1; days < 370; days++) {
    const late = from + days * 24 * hour;
    if (offset(late) === offset(from)) continue;
    let [before, after] = [late - 24 * hour, late];
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (offset(middle) === offset(from)) before = middle;
      else after = middle;
    }
    return after;
  }
  return from;
}

/** A zone, and a time that is often near one of its clock changes. */
const localTimes = fc
  .tuple(anyZone, instants, fc.boolean(), fc.integer({ min: -3 * 3600, max: 3 * 3600 }))
  .map(([zone, instant, isNear, seconds]) => ({
    zone,
    instant: isNear ? nextChange(zone, instant) + seconds * 1000 : instant,
  }));

function resolve(text: string, timeZone: string, now = Date.UTC(2019, 0)) {
  const { date, warning } = resolveWhen(text, { now, timeZone, flag: '--scheduled-at' });
  return { instant: date.getTime(), warning };
}

const offered = / write (\S+)$/;

test('a local time is read as the instant at which clocks show it', () => {
  fc.assert(
    fc.property(localTimes, ({ zone, instant }) => {
      const text = shownIn(zone, instant);
      const read = resolve(text, zone);
      expect(shownIn(zone, read.instant)).toBe(text);
      if (read.warning === undefined) expect(read.instant).toBe(instant);
      else {
        // The time occurs twice: the first is used, the second suggested.
        const [, second = ''] = offered.exec(read.warning) ?? [];
        expect([read.instant, resolve(second, 'UTC').instant]).toContain(instant);
        expect(resolve(second, 'UTC').instant).toBeGreaterThan(read.instant);
        expect(shownIn(zone, resolve(second, 'UTC').instant)).toBe(text);
      }
      expect(resolve(`${text} ${zone}`, 'UTC').instant).toBe(read.instant);
    }),
    { numRuns: 300 },
  );
});

test('a local time that clocks skip is moved forward, with a warning', () => {
  let skipped = 0;
  fc.assert(
    fc.property(localTimes, ({ zone, instant }) => {
      const before = nextChange(zone, instant) - 1000;
      // 15 minutes after the last second before the change; no gap is shorter.
      const wall = Date.parse(`${shownIn(zone, before)}Z`) + hour / 4;
      const text = new Date(wall).toISOString().slice(0, 19);
      const read = resolve(text, zone);
      if (shownIn(zone, read.instant).replace(' ', 'T') === text) {
        expect(read.warning ?? '').not.toContain('does not exist');
        return;
      }
      skipped++;
      expect(read.instant).toBe(before + hour / 4);
      expect(read.warning).toContain('does not exist');
      const [, other = ''] = offered.exec(read.warning ?? '') ?? [];
      expect(resolve(other, 'UTC').instant).toBeLessThanOrEqual(before);
      expect(resolve(other, zone).warning).toBeUndefined();
    }),
    { numRuns: 200 },
  );
  expect(skipped).toBeGreaterThan(10);
});

test('tomorrow at nine is tomorrow at nine in every zone', () => {
  fc.assert(
    fc.property(anyZone, anyZone, instants, (zone, own, now) => {
      const { instant } = resolve(`tomorrow 9am ${zone}`, own, now);
      const today = Date.parse(`${shownIn(zone, now).slice(0, 10)}T00:00Z`);
      const tomorrow = new Date(today + 24 * hour).toISOString().slice(0, 10);
      expect(shownIn(zone, instant)).toBe(`${tomorrow} 09:00:00`);
    }),
  );
});
