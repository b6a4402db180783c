import type { ReputationStatus } from '../../../api/reputation.ts';
import { UsageError } from '../../base/errors.ts';
import { percentage } from '../../base/text/percent.ts';
import { visible } from '../../base/text/visible.ts';

/** Parses percentage points for `--min-distance`: `0.5` and `0.5%` are the same. */
export function parsePoints(flag: string): (value: string) => number {
  return (value) => {
    const number = /^\d{1,3}(\.\d+)?%?$/.test(value) ? Number(value.replace('%', '')) : Number.NaN;
    if (number >= 0 && number <= 100) return number;
    throw new UsageError(`${flag}: "${value}" is not a number of percentage points, such as 0.5`);
  };
}

/** When the gate is closed. */
interface Gate {
  /** States in upper case; none without `--fail-on`. */
  readonly states: readonly string[];
  /** Percentage points. */
  readonly minDistance: number | undefined;
}

interface Verdict {
  /** Why the gate is closed; undefined if it is open. */
  readonly reason?: string;
  /** Why the gate is open although something could not be checked. */
  readonly note?: string;
}

/** Judges an account by its state, and by how far its bounce rate is from blocking. */
export function judgeStatus(status: ReputationStatus, { states, minDistance }: Gate): Verdict {
  const state = status.state.trim().toUpperCase();
  if (states.includes(state)) return { reason: `The account is ${visible(status.state)}.` };
  if (minDistance === undefined) return {};
  if (state === 'BLOCKED') return { reason: 'The account is blocked.' };
  if (status.sampleSufficient === false) {
    const size = status.sampleSize == null ? '' : `, ${status.sampleSize} emails,`;
    return {
      note: `The sample${size} is too small to judge the bounce rate; --min-distance was not applied.`,
    };
  }
  const distance = distanceOf(status);
  if (distance === undefined) {
    return {
      note: 'The service does not report the distance to blocking, so --min-distance was not applied.',
    };
  }
  if (distance >= minDistance) return {};
  const rates = [percentage(status.bounceRate), percentage(status.thresholds?.block)];
  const facts = rates.includes(undefined)
    ? ''
    : ` (bounce rate ${rates[0]}, blocked at ${rates[1]})`;
  return {
    reason: `The account is ${points(distance)} from being blocked${facts}; the minimum is ${minDistance}.`,
  };
}

/** Percentage points to blocking, without rounding errors of binary fractions; undefined if unknown. */
export function distanceOf({
  distanceToBlock,
  thresholds,
  bounceRate,
}: ReputationStatus): number | undefined {
  const own = distanceToBlock ?? (thresholds?.block ?? Number.NaN) - (bounceRate ?? Number.NaN);
  return Number.isNaN(own) ? undefined : Math.max(0, Number(own.toFixed(6)));
}

export function points(distance: number): string {
  return `${Number(distance.toFixed(3))} percentage points`;
}
