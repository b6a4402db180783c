import type { System } from '../../base/system/system.ts';
import type { LoadView } from '../../base/terminal/progress.ts';
import {
  rateOf,
  rateText,
  type Sample,
  timeLeft,
  timeLeftText,
  withSample,
} from '../../base/terminal/rate.ts';
import { usesColor } from '../../base/terminal/uses-color.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { createPalette } from '../../command-line/output/palette.ts';
import type { ProgressLine } from './progress-lines.ts';

interface Terminal extends Pick<Context, 'flags'> {
  readonly system: Pick<System, 'env' | 'stderr'>;
}

interface SendingContext extends Pick<Context, 'flags' | 'report'> {
  readonly system: Pick<System, 'env' | 'stderr' | 'monotonic'>;
  readonly progress: Pick<Context['progress'], 'update'>;
}

/** Milliseconds over which the rate is measured: short, to be right again soon after a pause. */
const window = 15_000;
/** Least milliseconds between two samples, so that fast responses do not pile up. */
const sampleEvery = 500;
/** Milliseconds before a rate means anything. */
const firstRateAfter = 1000;
/** Milliseconds between two lines where a bar cannot be drawn. */
const lineInterval = 15_000;

/**
 * Shows how many of `total` emails are decided (accepted, rejected, unknown), how fast this process is, and
 * the time left: as a bar on a terminal, otherwise as a line now and then.
 */
export function createSendingProgress(
  context: SendingContext,
  before: Readonly<Record<'accepted' | 'refused' | 'unknown', number>>,
  total: number,
  label = 'Sending',
): { decided(accepted: number, refused: number): void; view: LoadView } {
  const { monotonic } = context.system;
  const doneBefore = before.accepted + before.refused + before.unknown;
  let done = doneBefore;
  let rejected = before.refused;
  let samples: readonly Sample[] = [{ at: monotonic(), done }];
  let lastAnswer = monotonic();
  let lastLine = lastAnswer;
  const pace = (): string[] => {
    const at = monotonic();
    const measured = withSample(samples, { at, done }, window);
    const isKnown = done > doneBefore && at - (measured[0]?.at ?? at) >= firstRateAfter;
    const rate = isKnown ? rateOf(measured) : undefined;
    const left = timeLeft(done, total, rate);
    return [
      ...(rate === undefined ? [] : [rateText(rate)]),
      ...(left === undefined ? [] : [leftText(left)]),
    ];
  };
  const rejectedInWords = () => (rejected === 0 ? [] : [`${grouped(rejected)} rejected`]);
  return {
    decided(accepted, refused) {
      const at = monotonic();
      const lastSample = samples.at(-1)?.at ?? at;
      done += accepted + refused;
      rejected += refused;
      // After a long pause, measuring starts anew: the pause would make the rate look slow for a while.
      if (at - lastAnswer > window) samples = [{ at, done }];
      else if (at - lastSample >= sampleEvery) samples = withSample(samples, { at, done }, window);
      lastAnswer = at;
      // After a response, a message about waiting no longer applies.
      if (context.progress.update('') || at - lastLine < lineInterval) return;
      lastLine = at;
      const words = [`${grouped(done)} of ${grouped(total)}`, ...pace(), ...rejectedInWords()];
      context.report('', words.join(', '));
    },
    async view() {
      const linesOf = await loadLines(context);
      return (columns) =>
        linesOf(columns, {
          label,
          share: total === 0 ? undefined : done / total,
          // As wide at the start as at the end, so that what is beside it does not move.
          count: `${grouped(done).padStart(grouped(total).length)} of ${grouped(total)}`,
          words: pace(),
          warnings: rejectedInWords(),
        });
    },
  };
}

/** A run is watched to its end, so the last minute is shown in seconds. */
function leftText(seconds: number): string {
  return seconds < 90 ? `about ${Math.ceil(seconds)} s left` : timeLeftText(seconds);
}

/** Shows how far the checking of an input is, on a terminal only. `share` is the part of its bytes read. */
export function createCheckingProgress(
  context: Terminal,
  share: () => number | undefined,
): { checked(rows: number): void; view: LoadView } {
  let rows = 0;
  return {
    checked(now) {
      rows = now;
    },
    async view() {
      const linesOf = await loadLines(context);
      return (columns) => {
        const count = rows === 0 ? '' : grouped(rows);
        return linesOf(columns, { label: 'Checking the rows', share: share(), count });
      };
    },
  };
}

async function loadLines({ system, flags }: Terminal) {
  const { progressLines } = await import('./progress-lines.ts');
  const palette = await createPalette(usesColor(system.env, system.stderr, flags));
  return (columns: number, line: ProgressLine) => progressLines(line, columns, palette);
}
