import { localTime } from '../../../base/text/local-time.ts';

const day = 24 * 60 * 60 * 1000;
/** Blank columns on each side of the date in the middle. */
const gap = 4;

/**
 * From the oldest event until now, or until the newest if events would fill less than half of that, in milliseconds
 * since 1970.
 */
export function timeAxis(times: readonly number[], now: number) {
  const start = Math.min(...times);
  const newest = Math.max(...times);
  const endsNow = now > newest && (newest === start || now - newest <= newest - start);
  const end = endsNow ? now : newest;
  /** From 0 at the start to 1 at the end. */
  const position = (time: number) => (end === start ? 0 : (time - start) / (end - start));
  return { start, end, endsNow, position };
}

/** The dates at both ends of the axis and in its middle, if there is room. */
export function dateLine(
  axis: ReturnType<typeof timeAxis>,
  columns: number,
  timeZone: string,
): string {
  const { start, end, endsNow } = axis;
  const days = end - start >= 2 * day;
  const label = (time: number) => {
    const text = localTime(new Date(time), timeZone);
    return days ? text.slice(0, -' 00:00'.length) : text;
  };
  const left = label(start);
  const right = endsNow ? 'now' : label(end);
  if (left === right || left.length + 1 + right.length > columns) return left;
  const middle = label((start + end) / 2);
  const at = Math.round((columns - 1) / 2 - middle.length / 2);
  const fits = at >= left.length + gap && at + middle.length + gap <= columns - right.length;
  const opening = fits ? `${left.padEnd(at)}${middle}` : left;
  return opening.padEnd(columns - right.length) + right;
}
