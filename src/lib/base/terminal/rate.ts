import { grouped } from '../text/quantity.ts';

/** How many emails were done at a time. `at` is in milliseconds, by the monotonic clock. */
export interface Sample {
  readonly at: number;
  readonly done: number;
}

/**
 * Adds a sample. Drops those older than the window (milliseconds), except the newest of them, which
 * marks its start. If fewer emails are done than before, counting starts anew.
 */
export function withSample(
  samples: readonly Sample[],
  sample: Sample,
  window: number,
): readonly Sample[] {
  const last = samples.at(-1);
  if (last !== undefined && sample.done < last.done) return [sample];
  const begin = samples.findLastIndex(({ at }) => at <= sample.at - window);
  return [...samples.slice(Math.max(begin, 0)), sample];
}

/** Emails per second; undefined if unknown. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const elapsed = last.at - first.at;
  return elapsed > 0 ? ((last.done - first.done) / elapsed) * 1000 : undefined;
}

/** Seconds until all are done at this rate; undefined if unknown. */
export function timeLeft(
  done: number | undefined,
  total: number | undefined,
  rate: number | undefined,
): number | undefined {
  if (done === undefined || total === undefined || !rate) return undefined;
  return total > done ? (total - done) / rate : undefined;
}

/** A rate in a suitable unit: `412/s`, `1.5/s`, `24/min`, `3/h`, `0/s`. */
export function rateText(perSecond: number): string {
  if (perSecond === 0) return '0/s';
  if (perSecond >= 10) return `${grouped(Math.round(perSecond))}/s`;
  if (perSecond >= 1) return `${Number(perSecond.toFixed(1))}/s`;
  const perMinute = Math.round(perSecond * 60);
  return perMinute >= 1 ? `${perMinute}/min` : `${Math.max(Math.round(perSecond * 3600), 1)}/h`;
}

/** Seconds as `about 3 min left`. */
export function timeLeftText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return 'less than 1 min left';
  if (minutes < 100) return `about ${minutes} min left`;
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? `about ${hours} h left`
    : `about ${grouped(Math.round(hours / 24))} days left`;
}

/** Milliseconds as on a stopwatch: `0:05`, `12:05`, `26:02:03`. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(Math.floor(ms / 1000), 0);
  const two = (value: number) => String(value % 60).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}:${two(seconds)}` : `${hours}:${two(minutes)}:${two(seconds)}`;
}
