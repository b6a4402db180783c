import type { OutputStream } from '../system/system.ts';
import { visible } from '../text/visible.ts';
import type { View } from './live-region.ts';

/** For the person who waits: on a terminal a spinner with a text, or a view and the text below it. */
export interface Progress {
  /** Whether anything is shown at all. */
  readonly enabled: boolean;
  /** Shows `text` while `work` runs; within other such work, that one's text and view stay. */
  during<Value>(text: string, work: () => Promise<Value>, view?: View): Promise<Value>;
  /** Replaces the text, also below a view at its next drawing; false when there is no work to show. */
  update(text: string | (() => string)): boolean;
  /** Takes the spinner off the screen, before something else is printed. */
  stop(): void;
}

/** Milliseconds before a spinner appears: what is faster than this needs none. */
const patience = 250;

/** Work under way: its text, and its spinner once that has appeared. */
interface Work {
  text: () => string;
  readonly view: View | undefined;
  stopped: boolean;
  shown?: { draw?(): void; stop(): void };
}

/** A spinner on stderr, or nothing at all when it is not enabled. */
export function createProgress(stderr: () => OutputStream, wanted: boolean): Progress {
  // Some pseudo-terminals have no size; ora would divide by it and never come to an end.
  const enabled = wanted && stderr().columns !== 0;
  if (!enabled) {
    return {
      enabled,
      during: async (_text, work) => await work(),
      update: () => false,
      stop: () => {},
    };
  }
  let current: Work | undefined;
  const stop = () => {
    if (current === undefined) return;
    current.stopped = true;
    current.shown?.stop();
  };
  return {
    enabled,
    async during(text, work, view) {
      if (current !== undefined) return await work();
      const mine: Work = { text: () => text, view, stopped: false };
      current = mine;
      const timer = setTimeout(() => show(mine, stderr()), patience);
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        stop();
        current = undefined;
      }
    },
    update(text) {
      if (current === undefined) return false;
      current.text = typeof text === 'string' ? () => text : text;
      current.shown?.draw?.();
      return true;
    },
    stop,
  };
}

async function show(work: Work, stderr: OutputStream): Promise<void> {
  const [{ default: ora }, { redrawEvery, startRegion }] = await Promise.all([
    import('ora'),
    import('./live-region.ts'),
  ]);
  if (work.stopped) return;
  const { view } = work;
  // The reason for a pause may be in the service's words.
  const text = () => visible(work.text());
  const spinner = ora({
    text: text(),
    // Typed as the stream of a process; this is one, enabled only on a terminal.
    stream: stderr as NodeJS.WriteStream,
    // Without the terminal's input, Ctrl-C stays a signal and typed-ahead words stay typed.
    discardStdin: false,
    color: false,
    // Already decided, by the environment that the command was given.
    isEnabled: true,
    ...(view === undefined ? {} : { interval: redrawEvery }),
  });
  if (view !== undefined) {
    work.shown = startRegion(spinner, stderr, view, text);
    return;
  }
  spinner.start();
  work.shown = {
    draw: () => {
      spinner.text = text();
    },
    stop: () => {
      spinner.stop();
    },
  };
}
