import type { Context } from '../../command/context.ts';
import type { Palette } from '../../output/palette.ts';
import { createPalette } from '../../output/palette.ts';
import type { System } from '../../system/system.ts';
import type { View } from '../../terminal/live-region.ts';
import {
  rateOf,
  rateText,
  type Sample,
  timeLeft,
  timeLeftText,
  withSample,
} from '../../terminal/rate.ts';
import { usesColor } from '../../terminal/uses-color.ts';
import { cut } from '../../text/flow.ts';
import { grouped } from '../../text/quantity.ts';
import type { Counts } from '../journal/counts.ts';
import type { RunHeader } from '../journal/header.ts';
import { progressLines } from './progress-lines.ts';

/** What decides on colours. */
interface Terminal {
  readonly system: Pick<System, 'env' | 'stderr'>;
  readonly flags: Context['flags'];
}

/** Milliseconds between two lines where nothing can be drawn. */
const lineInterval = 15_000;

/** Tells how far a run is: in a bar on the terminal, else in a line now and then. */
export async function createSendingProgress(
  context: Pick<Context, 'system' | 'flags' | 'progress' | 'report'>,
  before: Counts,
  { emails }: RunHeader,
): Promise<{ decided(accepted: number, refused: number): void; view: View }> {
  const { system, progress, report } = context;
  const { accepted, refused, unknown } = before;
  const begun = { total: emails, done: accepted + refused + unknown, rejected: refused };
  const sending = createSendProgress(begun, system.monotonic);
  const palette = await paletteOf(context);
  let lastLine = system.monotonic();
  return {
    decided(accepted, refused) {
      sending.add(accepted, refused);
      // With an answer, nothing is waited for any more.
      if (progress.update('') || system.monotonic() - lastLine < lineInterval) return;
      lastLine = system.monotonic();
      report('', sendProgressInWords(sending.now()));
    },
    view: (columns) => sendProgressLines(sending.now(), columns, palette),
  };
}

/** Tells how far the checking of an input is, on a terminal only. `share` is that of its bytes. */
export async function createCheckingProgress(
  context: Terminal,
  share: () => number | undefined,
): Promise<{ checked(rows: number): void; view: View }> {
  const palette = await paletteOf(context);
  let rows = 0;
  return {
    checked(now) {
      rows = now;
    },
    view: (columns) =>
      progressLines(
        {
          label: 'Checking the rows',
          share: share(),
          count: rows === 0 ? '' : grouped(rows),
          words: [],
        },
        columns,
        palette,
      ),
  };
}

function paletteOf({ system, flags }: Terminal) {
  return createPalette(usesColor(system.env, system.stderr, flags));
}

/** How far a run is. */
export interface SendProgress {
  /** Emails of the whole run. */
  readonly total: number;
  /** Of these, decided on: accepted, rejected, or given up as unknown. */
  readonly done: number;
  readonly rejected: number;
  /** Emails per second of late; undefined when there is none to tell of yet. */
  readonly rate: number | undefined;
}

/** Milliseconds over which the rate is taken: short enough to be true again soon after a pause. */
const window = 15_000;
/** Milliseconds between two samples at least, so that answers that come fast do not pile up. */
const sampleEvery = 500;
/** Milliseconds before a rate is more than chance. */
const firstRateAfter = 1000;

/**
 * Counts what this process decides on. `add` is called after every answer; what costs more is left
 * to `now`, for who looks.
 */
export function createSendProgress(
  begun: Omit<SendProgress, 'rate'>,
  now: () => number,
): { add(accepted: number, rejected: number): void; now(): SendProgress } {
  const { total } = begun;
  let { done, rejected } = begun;
  let samples: readonly Sample[] = [{ at: now(), done }];
  let last = now();
  let lastAnswer = last;
  const sample = (at: number) => {
    if (at - last < sampleEvery) return;
    last = at;
    samples = withSample(samples, { at, done }, window);
  };
  return {
    add(accepted, refused) {
      const at = now();
      done += accepted + refused;
      rejected += refused;
      // After a long pause counting starts anew, or the pause would make it look slow for a while.
      if (at - lastAnswer > window) samples = [{ at, done }];
      lastAnswer = at;
      sample(at);
    },
    now() {
      const at = now();
      sample(at);
      const measured = withSample(samples, { at, done }, window);
      const isKnown = done > begun.done && at - (measured[0]?.at ?? at) >= firstRateAfter;
      return { total, done, rejected, rate: isKnown ? rateOf(measured) : undefined };
    },
  };
}

/** A run on a terminal: a bar, the rate, the time left, and what was rejected. */
export function sendProgressLines(
  sending: SendProgress,
  columns: number,
  palette: Palette,
): string[] {
  const { total, done } = sending;
  const { pace, rejected } = wordsOf(sending);
  return progressLines(
    {
      label: 'Sending',
      share: total === 0 ? undefined : done / total,
      // As wide in the beginning as in the end, so that what stands beside it does not move.
      count: `${grouped(done).padStart(grouped(total).length)} of ${grouped(total)}`,
      words: [
        ...pace.map((word) => cut(word, columns)),
        ...rejected.map((word) => palette.red(cut(word, columns))),
      ],
    },
    columns,
    palette,
  );
}

/** The same in one line: `12,300 of 50,000, 900/s, about 45 s left, 3 rejected`. */
export function sendProgressInWords(sending: SendProgress): string {
  const { pace, rejected } = wordsOf(sending);
  return [`${grouped(sending.done)} of ${grouped(sending.total)}`, ...pace, ...rejected].join(', ');
}

function wordsOf({ total, done, rejected, rate }: SendProgress) {
  const left = timeLeft(done, total, rate);
  return {
    pace: [
      ...(rate === undefined ? [] : [rateText(rate)]),
      ...(left === undefined ? [] : [leftText(left)]),
    ],
    rejected: rejected === 0 ? [] : [`${grouped(rejected)} rejected`],
  };
}

/** A run is watched to its end, so the last minute is told in seconds. */
function leftText(seconds: number): string {
  return seconds < 90 ? `about ${Math.ceil(seconds)} s left` : timeLeftText(seconds);
}
