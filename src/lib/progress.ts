import type { OutputStream } from './system.ts';

/** What is going on, for the person who waits: a spinner on a terminal, else nothing. */
export interface Progress {
  /** Whether anything is shown at all. */
  readonly enabled: boolean;
  /** Shows `text` while `work` runs. */
  during<Value>(text: string, work: () => Promise<Value>): Promise<Value>;
  /** Replaces the text that is shown. */
  update(text: string): void;
  /** Takes the spinner off the screen, before something else is printed. */
  stop(): void;
}

/** Milliseconds before a spinner appears: what is faster than this needs none. */
const patience = 250;

export function createProgress(stderr: OutputStream, wanted: boolean): Progress {
  // Some pseudo-terminals have no size; ora would divide by it and never come to an end.
  const enabled = wanted && stderr.columns !== 0;
  if (!enabled) {
    return {
      enabled,
      during: async (_text, work) => await work(),
      update: () => {},
      stop: () => {},
    };
  }
  // What there is to wait for; a part of it that is waited for has no spinner of its own.
  let waitingFor: string | undefined;
  let shown: { text: string; stop(): void } | undefined;
  const stop = () => {
    shown?.stop();
    shown = undefined;
  };
  return {
    enabled,
    async during(text, work) {
      if (waitingFor !== undefined) return await work();
      waitingFor = text;
      let finished = false;
      const timer = setTimeout(async () => {
        const { default: ora } = await import('ora');
        // Typed as the stream of a process; this is one, enabled only on a terminal.
        const stream = stderr as NodeJS.WriteStream;
        // Without the terminal's input, Ctrl-C stays a signal and typed-ahead words stay typed.
        if (finished) return;
        shown = ora({ text: waitingFor ?? text, stream, discardStdin: false }).start();
      }, patience);
      try {
        return await work();
      } finally {
        finished = true;
        waitingFor = undefined;
        clearTimeout(timer);
        stop();
      }
    },
    update(text) {
      if (waitingFor !== undefined) waitingFor = text;
      if (shown !== undefined) shown.text = text;
    },
    stop,
  };
}
