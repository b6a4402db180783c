import { visible } from '../text/visible.ts';

/**
 * Sentences for people beside the result, on stderr. Under `--json` and `--jsonl` they wait until the
 * command has succeeded, because stderr holds nothing but the error otherwise; under `--quiet` only
 * warnings are shown. Each argument is one line: a line break in it may be the service's, and is escaped.
 */
export interface Notes {
  /** Something worth knowing, such as the next command to try. */
  say(...lines: readonly string[]): void;
  /** Something that may surprise: a value was ignored, a file was set aside. */
  warn(...lines: readonly string[]): void;
  /** The same of what was done to files, which no later run can report: an error has it, too. */
  warnOnce(text: string): void;
  /** What `warnOnce` was told and still waits, for an error in JSON. */
  unsaid(): readonly string[];
  /** Writes what waits, and from now on all at once. Called once the command has succeeded. */
  flush(): void;
}

interface NotesOptions {
  readonly write: (text: string) => void;
  /** Whether to keep everything back until `flush`. */
  readonly wait: () => boolean;
  readonly quiet: () => boolean;
}

/** Notes, written when `wait` and `quiet` allow it. */
export function createNotes({ write, wait, quiet }: NotesOptions): Notes {
  const waiting: string[] = [];
  let once: string[] = [];
  let flushed = false;
  const put = (lines: readonly string[]) => {
    const text = lines.map((line) => `${visible(line)}\n`).join('');
    if (wait() && !flushed) waiting.push(text);
    else write(text);
  };
  const warn = (first: string, ...others: readonly string[]) =>
    put([`Warning: ${first}`, ...others]);
  return {
    say(...lines) {
      if (!quiet()) put(lines);
    },
    warn: (...[first = '', ...others]) => warn(first, ...others),
    warnOnce(text) {
      if (wait() && !flushed) once.push(text);
      warn(text);
    },
    unsaid: () => once,
    flush() {
      flushed = true;
      once = [];
      for (const text of waiting.splice(0)) write(text);
    },
  };
}
