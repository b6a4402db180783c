import { durationOf } from '../../../shared/duration.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';

/**
 * A parser of `30m`, `1h30m`, `2d`, `500ms`, or seconds. Returns milliseconds, above 0 and up to 24
 * days.
 */
export function parseDuration(flag: string): (text: string) => number {
  return (text) => {
    const milliseconds = durationOf(text) ?? Number.NaN;
    // Above 2^31 - 1 ms, setTimeout fires at once.
    if (milliseconds >= 1 && milliseconds <= 2 ** 31 - 1) return milliseconds;
    throw new UsageError(`${flag}: "${visible(text)}" is not a duration`, {
      hint: 'Write 90s, 30m, 1h30m or a number of seconds, above 0 and at most 24 days.',
    });
  };
}
