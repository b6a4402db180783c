import type { OutputStream } from '../system/system.ts';
import { visible } from '../text/visible.ts';
import type { View } from './live-region.ts';

/** Loads a view, once it is to be shown: measuring the width of text takes a while to load. */
export type LoadView = () => Promise<View>;

/** Progress on a terminal: a spinner with a text, or with a view and the text below it. */
export interface Progress {
  /** Whether anything is shown at all. */
  readonly enabled: boolean;
  /** Shows `text` while `work` runs. Inside another `during`, the outer text and view stay. */
  during<Value>(text: string, work: () => Promise<Value>, view?: LoadView): Promise<Value>;
  /** Replaces the text; below a view, at its next drawing. False if no work is shown. */
  update(text: string | (() => string)): boolean;
  /** Removes the spinner from the screen, so that something else can be printed. */
  stop(): void;
}

/** Work in progress: its text, and its spinner once it has appeared. */
interface Work {
  text: () => string;
  readonly view: LoadView | undefined;
  stopped: boolean;
  shown?: { draw?(): void; stop(): void };
}

/** A spinner on stderr, which appears after `delay` ms. Shows nothing unless enabled. */
export function createProgress(
  stderr: () => OutputStream,
  wanted: boolean,
  delay: number,
): Progress {
  // Some pseudo-terminals have no size; ora would divide by zero and never return.
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
      const timer = setTimeout(() => show(mine, stderr()), delay);
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
  const [{ default: ora }, { redrawEvery, startRegion }, view] = await Promise.all([
    import('ora'),
    import('./live-region.ts'),
    work.view?.(),
  ]);
  if (work.stopped) return;
  // The reason for a pause may contain the service's words.
  const text = () => visible(work.text());
  const spinner = ora({
    text: text(),
    // Typed as a process stream. It is one: progress is enabled only on a terminal.
    stream: stderr as NodeJS.WriteStream,
    // If ora took the terminal's input, Ctrl-C would be no signal, and typed-ahead text lost.
    discardStdin: false,
    color: false,
    // Already decided, from the command's environment.
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
