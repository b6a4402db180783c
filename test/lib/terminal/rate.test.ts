import { expect, test } from 'vitest';
import {
  rateOf,
  rateText,
  type Sample,
  stopwatch,
  timeLeft,
  timeLeftText,
  withSample,
} from '../../../src/lib/terminal/rate.ts';

/** The samples after these looks: seconds and emails done. The window is five minutes. */
function after(...looks: readonly (readonly [seconds: number, done: number])[]): readonly Sample[] {
  return looks.reduce<readonly Sample[]>(
    (samples, [seconds, done]) => withSample(samples, { at: seconds * 1000, done }, 300_000),
    [],
  );
}

test.each<[string, readonly Sample[], number | undefined]>([
  ['no sample', after(), undefined],
  ['one sample', after([0, 500]), undefined],
  ['nothing sent yet', after([0, 0], [2, 0], [4, 0]), 0],
  ['two samples', after([10, 100], [20, 150]), 5],
  ['a clock that stands still', after([10, 100], [10, 150]), undefined],
  ['a counter that went down', after([0, 100], [10, 50]), undefined],
  ['and goes on from there, too', after([0, 100], [10, 50], [20, 60]), 1],
  ['a pause of less than the window', after([0, 0], [100, 200], [200, 200]), 1],
  ['only what is in the window', after([0, 0], [100, 9000], [400, 9300]), 1],
  ['nothing sent within the window', after([0, 0], [100, 9000], [400, 9000]), 0],
  ['looks rarer than the window', after([0, 0], [3600, 3600], [7200, 10_800]), 2],
])('the rate of %s', (_, samples, expected) => {
  expect(rateOf(samples)).toBe(expected);
});

test('samples do not pile up', () => {
  const many = Array.from({ length: 5000 }, (_, index) => [index * 10, index] as const);
  expect(after(...many)).toHaveLength(31);
});

test.each([
  [100, 400, 3, 100],
  [100, 1000, 3, 300],
  [0, 10, 0.5, 20],
  [400, 400, 3, undefined],
  [500, 400, 3, undefined],
  [0, 0, 3, undefined],
  [undefined, 400, 3, undefined],
  [100, undefined, 3, undefined],
  [100, 400, undefined, undefined],
  [100, 400, 0, undefined],
])('%s of %s sent at %s/s: %s s left', (sent, total, rate, expected) => {
  expect(timeLeft(sent, total, rate)).toBe(expected);
});

test.each([
  [1234.4, '1,234/s'],
  [10, '10/s'],
  [9.96, '10/s'],
  [1.54, '1.5/s'],
  [1, '1/s'],
  [0.5, '30/min'],
  [0.02, '1/min'],
  [0.001, '4/h'],
  [0.00001, '1/h'],
  [0, '0/s'],
])('%s per second is %s', (rate, expected) => {
  expect(rateText(rate)).toBe(expected);
});

test.each([
  [1, 'less than 1 min left'],
  [29, 'less than 1 min left'],
  [30, 'about 1 min left'],
  [180, 'about 3 min left'],
  [5400, 'about 90 min left'],
  [6000, 'about 2 h left'],
  [86_400, 'about 24 h left'],
  [259_200, 'about 3 days left'],
  [8.64e9, 'about 100,000 days left'],
])('%s s is %s', (seconds, expected) => {
  expect(timeLeftText(seconds)).toBe(expected);
});

test.each([
  [-5, '0:00'],
  [999, '0:00'],
  [5000, '0:05'],
  [725_000, '12:05'],
  [3_723_000, '1:02:03'],
  [93_723_000, '26:02:03'],
])('%s ms on a stopwatch: %s', (ms, expected) => {
  expect(stopwatch(ms)).toBe(expected);
});
