import { visible } from './text/visible.ts';

/**
 * Sentences for people beside the result: warnings, what was ignored, what comes next. They go to
 * stderr. Under `--json` and `--jsonl` they wait until the command has succeeded, because stderr
 * holds nothing but the error otherwise; under `--quiet` only warnings are shown.
 *
 * Each argument is one line: a line break in it may be the service's, and is written out.
 */
export interface Notes {
  /** Something worth knowing, such as the next command to try. */
  say(...lines: readonly string[]): void;
  /** Something that may surprise: a value was ignored, a file was set aside. */
  warn(...lines: readonly string[]): void;
  /** Lets go of what waits, and of what comes later. Called once the command has succeeded. */
  flush(): void;
}

export interface NotesOptions {
  readonly write: (text: string) => void;
  /** Whether to keep everything back until `flush`. */
  readonly wait: () => boolean;
  readonly quiet: () => boolean;
}

/** Notes that go out through `write`, when `wait` and `quiet` let them. */
export function createNotes({ write, wait, quiet }: NotesOptions): Notes {
  const waiting: string[] = [];
  let flushed = false;
  const put = (lines: readonly string[]) => {
    const text = lines.map((line) => `${visible(line)}\n`).join('');
    if (wait() && !flushed) waiting.push(text);
    else write(text);
  };
  return {
    say(...lines) {
      if (!quiet()) put(lines);
    },
    warn(...lines) {
      const [first = '', ...others] = lines;
      put([`Warning: ${first}`, ...others]);
    },
    flush() {
      flushed = true;
      for (const text of waiting.splice(0)) write(text);
    },
  };
}
