import { spawn } from '@lydell/node-pty';
import { onTestFinished, vi } from 'vitest';
import { type Place, type Replacement, shellStartOf } from './process.ts';
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
  /** Waits until the shell ends. */
  end(): Promise<number>;
}

export const ctrlC = '\x03';
export const ctrlD = '\x04';
export const enter = '\r';

/** Starts a shell command line on a terminal; `mailer` in it is the program. */
export function openTerminal(
  place: Place,
  commandLine: string,
  { columns = 80, env = {}, ...replacement }: TerminalOptions = {},
): Terminal {
  const define = `mailer() { ${shellStartOf(replacement)} "$@"; }`;
  let output = '';
  let drawn: { readonly of: string; readonly screen: Screen } | undefined;
  let exitCode: number | undefined;
  const terminal = spawn('bash', ['--norc', '-c', `${define}\n${commandLine}`], {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows: 40,
    cwd: place.home,
    env: { ...place.env, LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
  });
  terminal.onData((data) => {
    output += data;
  });
  terminal.onExit((end) => {
    exitCode = end.exitCode;
  });
  onTestFinished(() => {
    if (exitCode === undefined) terminal.kill('SIGKILL');
  });
  const patience = { timeout: 20_000, interval: 10 };
  const screen = () => {
    // Drawing takes long, and most looks at it find nothing new.
    if (drawn?.of !== output) drawn = { of: output, screen: draw(output, columns) };
    return drawn.screen;
  };
  const text = () => screen().rows.join('\n');
  return {
    columns,
    pid: terminal.pid,
    output: () => output,
    screen,
    text,
    shows: (expected) =>
      vi.waitFor(() => {
        const found =
          typeof expected === 'string' ? text().includes(expected) : expected.test(text());
        if (!found) throw new Error(`${String(expected)} is not on the screen:\n${text()}`);
      }, patience),
    type: (keys) => terminal.write(keys),
    end: () =>
      vi.waitFor(() => {
        if (exitCode === undefined) throw new Error(`it goes on:\n${text()}`);
        return exitCode;
      }, patience),
  };
}
