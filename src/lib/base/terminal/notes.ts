import { visible } from '../text/visible.ts';

/** See `createNotes`. */
export type Notes = ReturnType<typeof createNotes>;

interface NotesOptions {
  readonly write: (text: string) => void;
  /** Whether to hold notes back until `flush`. */
  readonly wait: () => boolean;
  readonly quiet: () => boolean;
}

/**
 * Sentences for people on stderr, besides the result. With `--json` and `--jsonl` they wait until
 * the command has succeeded, because stderr then has nothing but the error. With `--quiet` only
 * warnings are shown. Each argument is one line; line breaks in it are escaped, because they may
 * come from the service.
 */
export function createNotes({ write, wait, quiet }: NotesOptions) {
  const waiting: string[] = [];
  let once: string[] = [];
  let flushed = false;
  const warned: string[] = [];
  const put = (lines: readonly string[], waits = wait()) => {
    const text = lines.map((line) => `${visible(line)}\n`).join('');
    if (waits && !flushed) waiting.push(text);
    else write(text);
  };
  const warn = (...[first = '', ...others]: readonly string[]): void => {
    warned.push([first, ...others].join('\n'));
    put([`Warning: ${first}`, ...others]);
  };
  return {
    /** Something worth knowing, such as the next command to try. */
    say(...lines: readonly string[]): void {
      if (!quiet()) put(lines);
    },
    /** The same, once the command has succeeded; nothing if it fails. */
    sayAfterwards(...lines: readonly string[]): void {
      if (!quiet()) put(lines, true);
    },
    /** Something that may surprise: a value was ignored, a file was set aside. */
    warn,
    /** Like `warn`, for changes that no later run can report. An error includes it, too. */
    warnOnce(text: string): void {
      if (wait() && !flushed) once.push(text);
      warn(text);
    },
    /** What `warnOnce` got and has not been shown yet, for an error in JSON. */
    unsaid: (): readonly string[] => once,
    /** Every warning so far, each with its lines joined: what is stored for approval shows them to who approves it. */
    warned: (): readonly string[] => warned,
    /** Writes what is waiting, and everything later at once. Called when the command has succeeded. */
    flush(): void {
      flushed = true;
      once = [];
      for (const text of waiting.splice(0)) write(text);
    },
  };
}
