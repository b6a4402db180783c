import { clearLine, cursorTo, moveCursor } from 'node:readline';
import { PassThrough, type Writable } from 'node:stream';
import { InterruptedError, type MailerError } from '../../src/lib/base/errors.ts';
import { ctrlC } from './keys.ts';
import { patience } from './patience.ts';
import { draw, type Screen } from './screen.ts';

// Those of displays stand still in some tests.
const { clearTimeout, setTimeout } = globalThis;

/**
 * What a person waits to see, and what they then do: type these keys, or call this function with the text that they
 * see, and type what it returns, if that is text. At a question they read the question; otherwise, all of the screen.
 */
export type Step = readonly [sees: string | RegExp, does: string | Action];

type Action = (text: string, screen: Screen) => unknown;

/** Where a person sits. */
export interface Seat {
  readonly columns?: number | undefined;
  /** A stream of the program that is not this terminal. */
  readonly redirected?: 'stdin' | 'stdout' | 'stderr' | undefined;
}

/** A person at a terminal, in the process of the tests. */
export interface Person {
  /** Undefined if it is redirected. */
  readonly stdin: NodeJS.ReadableStream | undefined;
  /** Makes a stream part of the terminal, and returns what to call with all text; undefined if it is redirected. */
  takes(name: 'stdout' | 'stderr', stream: Writable): ((text: string) => void) | undefined;
  /** Everything that was written to the terminal. */
  output(): string;
  screen(): Screen;
  /** The rows of the screen as one text. */
  text(): string;
  /** The program starts; `interrupt` is Ctrl-C. */
  begins(interrupt: (reason: MailerError) => void): void;
  /** The program has ended. Throws why that should not be, or what went wrong before. */
  ended(exitCode: number): Promise<void>;
}

/**
 * A person who does these steps, in order. A question that is not the next step fails at once, with what is on the
 * screen, and so does the end of the program before the last step.
 */
export function createPerson(
  steps: readonly Step[],
  { columns = 80, redirected }: Seat = {},
): Person {
  const left = [...steps];
  let output = '';
  let changes = 0;
  let problem: unknown;
  let action: Promise<void> | undefined;
  let interrupt: (reason: MailerError) => void = () => {};
  let limit: NodeJS.Timeout | undefined;
  const keyboard = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: false,
    setRawMode(raw: boolean) {
      keyboard.isRaw = raw;
    },
  });
  const isAsked = () => keyboard.isRaw && keyboard.listenerCount('keypress') > 0;
  const screen = () => draw(output, columns);
  const text = () => screen().rows.join('\n');
  const fail = (error: unknown) => {
    problem ??= error;
    interrupt(new InterruptedError('Interrupted.'));
  };
  const type = (keys: string) => {
    if (isAsked()) keyboard.write(keys);
    else if (keys === ctrlC) {
      // As the terminal itself shows it.
      output += '^C';
      interrupt(new InterruptedError('Interrupted.'));
    } else throw new Error(`${JSON.stringify(keys)} is typed, but nothing is asked:\n${text()}`);
  };
  const act = async (does: string | Action, seen: string) => {
    try {
      const keys: unknown = typeof does === 'string' ? does : await does(seen, screen());
      if (typeof keys === 'string') type(keys);
    } catch (error) {
      fail(error);
    }
  };
  const look = () => {
    const [step] = left;
    if (action !== undefined || problem !== undefined || (step === undefined && !isAsked())) return;
    const { rows } = screen();
    const from = isAsked() ? rows.findLastIndex((row) => row.startsWith('? ')) : 0;
    // The question is not drawn yet.
    if (from === -1) return;
    const seen = rows.slice(from).join('\n');
    if (step !== undefined && matches(step[0], seen)) {
      left.shift();
      action = act(step[1], seen).finally(() => {
        action = undefined;
        lookSoon();
      });
    } else if (isAsked()) {
      const expected = step === undefined ? '' : `, but ${step[0]}`;
      fail(new Error(`This is asked, which nobody expects${expected}:\n${rows.join('\n')}`));
    }
  };
  /** Looks when everything is drawn: what the program does at a key takes no more than these turns. */
  const lookSoon = () => {
    const change = ++changes;
    setImmediate(() =>
      setImmediate(() => {
        if (change !== changes) return;
        try {
          look();
        } catch (error) {
          fail(error);
        }
      }),
    );
  };
  return {
    stdin: redirected === 'stdin' ? undefined : keyboard,
    takes(name, stream) {
      if (redirected === name) return undefined;
      // Like those of a process: what is piped into it does not end it.
      Object.assign(stream, { isTTY: true, columns, rows: 40, _isStdio: true }, movesOf(stream));
      return (written) => {
        // As the terminal's driver does.
        output += written.replaceAll(/\r?\n/g, '\r\n');
        lookSoon();
      };
    },
    output: () => output,
    screen,
    text,
    begins(onInterrupt) {
      interrupt = onInterrupt;
      limit = setTimeout(() => {
        fail(new Error(`Nothing happens, and ${left[0]?.[0]} is not on the screen:\n${text()}`));
      }, patience / 2);
    },
    async ended(exitCode) {
      clearTimeout(limit);
      await action;
      if (problem !== undefined) throw problem;
      const is = (what: string) => new Error(`${what}; exit code ${exitCode}:\n${text()}`);
      if (left[0] !== undefined) throw is(`It ended without ${left[0][0]}`);
      if (keyboard.isRaw) throw is('It left the terminal raw');
      if (!screen().cursorVisible) throw is('It left the terminal without a cursor');
    },
  };
}

function matches(expected: string | RegExp, text: string): boolean {
  return typeof expected === 'string' ? text.includes(expected) : expected.test(text);
}

/** The methods of a terminal that a spinner calls between texts. */
function movesOf(stream: Writable) {
  return {
    clearLine: (direction: -1 | 0 | 1) => clearLine(stream, direction),
    cursorTo: (x: number, y?: number) => cursorTo(stream, x, y),
    moveCursor: (x: number, y: number) => moveCursor(stream, x, y),
  };
}
