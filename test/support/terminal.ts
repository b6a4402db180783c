import { type Place, type Replacement, shellStartOf } from './process.ts';
import { openPty } from './pty.ts';
import { draw, type Screen } from './screen.ts';

export interface TerminalOptions extends Replacement {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A pseudo-terminal with a shell that runs one command line, and a person who types. */
export interface Terminal {
  readonly columns: number;
  readonly pid: number;
  /** Everything that was written to the terminal. */
  output(): string;
  screen(): Screen;
  /** The rows of the screen as one text. */
  text(): string;
  /** Waits until the screen shows this. */
  shows(expected: string | RegExp): Promise<void>;
  type(keys: string): void;
  /** Makes the terminal narrower or wider; `screen` is still that of the old width. */
  resize(columns: number): void;
  /** Waits until the shell ends. */
  end(): Promise<number>;
}

/** Starts a shell command line on a terminal; `mailer` in it is the program. */
export function openTerminal(
  place: Place,
  commandLine: string,
  { columns = 80, env = {}, ...replacement }: TerminalOptions = {},
): Terminal {
  const define = `mailer() { ${shellStartOf(replacement)} "$@"; }`;
  const terminal = openPty('bash', ['--norc', '-c', `${define}\n${commandLine}`], {
    columns,
    cwd: place.home,
    env: { ...place.env, LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
  });
  const { pid, output, type, resize, exitCode, until } = terminal;
  let drawn: { readonly of: string; readonly screen: Screen } | undefined;
  const screen = () => {
    // The end of a sequence may not have come yet.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven with these.
    const of = output().replace(/\x1b(\[[?>\d;]*)?$/, '');
    // Drawing takes long, and some looks at it find nothing new.
    if (drawn?.of !== of) drawn = { of, screen: draw(of, columns) };
    return drawn.screen;
  };
  const text = () => screen().rows.join('\n');
  return {
    ...{ columns, pid, output, screen, text, type, resize },
    async shows(expected) {
      const isShown = () =>
        typeof expected === 'string' ? text().includes(expected) : expected.test(text());
      await until(
        () => isShown() || undefined,
        () => `${expected} is not on the screen:\n${text()}`,
      );
    },
    end: () => until(exitCode, () => `it goes on:\n${text()}`),
  };
}
