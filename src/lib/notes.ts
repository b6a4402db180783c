import { visible } from './text/visible.ts';

/**
 * Sentences for people beside the result: warnings, what was ignored, what comes next. They go to
 * stderr. Under `--json` and `--jsonl` they wait until the command has succeeded, because stderr
 * holds nothing but the error otherwise; under `--quiet` only warnings are shown.
 */
export interface Notes {
  /** Something worth knowing, such as the next command to try. */
  say(text: string): void;
  /** Something that may surprise: a value was ignored, a file was set aside. */
  warn(text: string): void;
  /** Lets go of what waits. Called once the command has succeeded. */
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
  const put = (text: string) => {
    const line = `${text.split('\n').map(visible).join('\n')}\n`;
    if (wait()) waiting.push(line);
    else write(line);
  };
  return {
    say(text) {
      if (!quiet()) put(text);
    },
    warn(text) {
      put(`Warning: ${text}`);
    },
    flush() {
      for (const line of waiting.splice(0)) write(line);
    },
  };
}
