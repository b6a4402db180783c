import type { Context } from '../../command/context.ts';
import { createPalette } from '../../output/palette.ts';
import type { System } from '../../system/system.ts';
import type { View } from '../../terminal/live-region.ts';
import { usesColor } from '../../terminal/uses-color.ts';
import type { RunHeader } from '../journal/header.ts';
import type { Counts } from '../journal/journal.ts';
import { progressLines } from './progress-lines.ts';
import { createSendProgress, sendProgressInWords, sendProgressLines } from './send-progress.ts';
import { count } from './summary.ts';

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
          count: rows === 0 ? '' : count(rows),
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
