import { InterruptedError, UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
import { visible } from '../text/visible.ts';
import { wrapped } from '../text/wrap.ts';
import { canAsk } from './can-ask.ts';
import { discardTyped } from './discard-typed.ts';
import type { Progress } from './progress.ts';
import { usesColor } from './uses-color.ts';

/** See `createPrompts`. */
export type Prompts = ReturnType<typeof createPrompts>;

/** One thing to choose. Its texts are shown unchanged, each on one line. */
export interface Choice {
  readonly value: string;
  /** Its line in the list. */
  readonly line: string;
  /** What is shown after it was chosen. */
  readonly name: string;
}

export interface TextQuestion {
  readonly initial?: string;
  /** Whether the answer may be empty. */
  readonly optional?: boolean;
  /** Lines above the question, and what was not done if there is no answer. */
  readonly above?: readonly string[];
  readonly undone?: string;
  /** The problem with an answer, or undefined. */
  readonly check?: ((answer: string) => string | undefined) | undefined;
}

/** The flags about questions. */
export interface PromptFlags {
  readonly yes?: boolean;
  /** False with `--no-input`. */
  readonly ask?: boolean;
  readonly dryRun?: boolean;
  /** Whether what is confirmed is only stored: a person approves it later. */
  readonly forApproval?: boolean;
  readonly color?: boolean;
}

interface PromptsOptions {
  readonly system: System;
  readonly progress: Progress;
  readonly flags: PromptFlags;
  /**
   * The account that a question is about, such as `work at mail.example.com`; undefined if it is about none, or not yet
   * known and nothing is decided.
   */
  readonly account: (decides: boolean) => Promise<string | undefined>;
}

/** Where to ask, in inquirer's terms. */
interface Place {
  readonly input: System['stdin'];
  readonly output: System['stderr'];
  readonly signal: AbortSignal;
}

/** The kinds of questions. As a whole, the package would bring an editor and its character sets into the bundle. */
async function loadInquirer() {
  const { confirm, input, password, search, Separator } = await import('@inquirer/prompts');
  return { confirm, input, password, search, Separator };
}

type Inquirer = Awaited<ReturnType<typeof loadInquirer>>;

/** How a question is asked. */
interface Asking {
  readonly undone?: string;
  /** Lines above the question. */
  readonly above?: readonly string[] | undefined;
  /** Whether the answer decides whether something is done. */
  readonly decides?: boolean;
}

/** Rows of a list to choose from that are visible at once. */
const mostShown = 10;

const nothingSent = 'Nothing was sent';

/** Questions to the person at this system's terminal, asked on stderr, if the flags allow them. */
export function createPrompts({ system, progress, flags, account }: PromptsOptions) {
  const { env, signal } = system;
  // Checked late, because most commands never touch stdin.
  const isPossible = () => canAsk(system, flags);
  let isNamed = false;
  /** The line that names the account: above the first question, and above each that decides. */
  const accountLine = async (decides: boolean): Promise<string> => {
    const name = decides || !isNamed ? await account(decides) : undefined;
    if (name === undefined) return '';
    isNamed = true;
    return `Account: ${visible(name)}\n`;
  };
  const ask = async <Answer>(
    question: (inquirer: Inquirer, place: Place) => Promise<Answer>,
    { undone = nothingSent, above, decides = false }: Asking = {},
  ): Promise<Answer> => {
    progress.stop();
    const { stdin, stderr } = system;
    const [inquirer, line] = await Promise.all([loadInquirer(), accountLine(decides)]);
    stderr.write([...(above ?? []).map((text) => `${text}\n`), line].join(''));
    await discardTyped(stdin);
    const closed = new AbortController();
    // Ctrl-D closes the line editor and pauses its input, but leaves the question open.
    const close = () => setImmediate(() => closed.abort());
    stdin.once('pause', close);
    try {
      const either = AbortSignal.any([signal, closed.signal]);
      return await question(inquirer, { input: stdin, output: stderr, signal: either });
    } catch (error) {
      signal.throwIfAborted();
      const ended = error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name);
      throw ended ? new InterruptedError(`Interrupted. ${undone}.`) : error;
    } finally {
      stdin.off('pause', close);
    }
  };
  const isConfirmed = [flags.yes, flags.dryRun, flags.forApproval].includes(true);
  /** The problem with an answer, wrapped to fit beside the mark in front of it. */
  const fitted = (problem: string) => wrapped(problem, (system.stderr.columns || 80) - 3);
  const look = () => ({
    theme: usesColor(env, system.stderr, flags) ? colorTheme : plainTheme,
  });
  let isAgreed = false;
  /** Asks yes or no. Throws a `UsageError` on a no. */
  const decide = async (message: string, undone: string, above?: readonly string[]) => {
    const asked = async ({ confirm }: Inquirer, place: Place) => {
      // The package breaks lines anywhere. The last line has room for what surrounds the
      // question.
      const columns = (system.stderr.columns || 80) - '? (y/N) Yes'.length;
      const lines = wrapped(visible(message), columns);
      return await confirm({ ...look(), message: lines, default: false }, place);
    };
    const yes = await ask(asked, { undone, above, decides: true });
    if (!yes) throw new UsageError(`Not confirmed. ${undone}.`);
    isAgreed = true;
  };
  return {
    /** Whether questions may be asked: see `canAsk`. */
    get possible(): boolean {
      return isPossible();
    },
    /** Whether `confirm` asks. If not, it returns or throws at once. */
    get asks(): boolean {
      return isPossible() && !isConfirmed;
    },
    /** Asks for one line. */
    text: (
      message: string,
      { initial, optional, check, above, undone = nothingSent }: TextQuestion = {},
    ): Promise<string> =>
      ask(
        async ({ input }, place) => {
          return await input(
            {
              ...look(),
              message,
              ...(initial === undefined ? {} : { default: initial }),
              validate: (answer) => {
                const problem = check?.(answer);
                if (problem !== undefined) return fitted(problem);
                return answer !== '' || optional === true || 'Required';
              },
            },
            place,
          );
        },
        { undone, above },
      ),
    /**
     * Lets the person choose from what `find` returns for the text typed so far, empty at first. A
     * `UsageError` from `find` is shown as the reason why there is nothing.
     */
    choose: (message: string, find: (typed: string) => readonly Choice[]): Promise<string> =>
      ask(async ({ search, Separator }, place) => {
        const source = (typed = '') => {
          try {
            return find(typed).map(({ value, line, name }) => ({ value, name: line, short: name }));
          } catch (error) {
            if (!(error instanceof UsageError)) throw error;
            // If thrown on, it would be shown beside a spinner that never stops.
            return [new Separator(`> ${fitted(visible(error.message))}`)];
          }
        };
        return await search({ ...look(), message, source, pageSize: mostShown }, place);
      }),
    /** Asks for a secret without showing it. */
    secret: (message: string): Promise<string> =>
      ask(({ password }, place) => password({ ...look(), message, mask: '*' }, place)),
    /**
     * Asks yes or no, unless `--yes`, `--dry-run` or `--for-approval` is given. The question may contain strings from
     * the service. Throws a `UsageError` on a no, or if no question can be asked. `undone` tells what
     * was not done. `above` are lines that are shown only together with the question.
     */
    async confirm(message: string, undone = nothingSent, above?: readonly string[]): Promise<void> {
      if (isConfirmed) return;
      if (!isPossible()) {
        throw new UsageError(`${undone}, because this needs confirmation: ${message}`, {
          hint: 'To confirm, add --yes.',
        });
      }
      await decide(message, undone, above);
    },
    /**
     * Whether a person at the terminal agrees, whatever the flags: true if one has already confirmed what this command
     * does, false if nobody can be asked. Throws a `UsageError` on a no.
     */
    async agree(message: string): Promise<boolean> {
      if (isAgreed) return true;
      if (!isPossible()) return false;
      await decide(message, nothingSent);
      return true;
    },
  };
}

const asItIs = (text: string) => text;

const bold = (text: string) => `\x1b[1m${text}\x1b[22m`;

/** Questions in colour. The package's blue, cyan and yellow are unreadable on some terminals. */
const colorTheme = {
  prefix: { idle: bold('?'), done: '\x1b[32m✔\x1b[39m' },
  spinner: { frames: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'] },
  style: {
    answer: asItIs,
    highlight: bold,
    key: (text: string) => bold(`<${text}>`),
    searchTerm: asItIs,
    description: asItIs,
  },
};

/** Questions without colour. The package does not know `--no-color`. */
const plainTheme = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: asItIs,
    message: asItIs,
    error: (text: string) => `> ${text}`,
    defaultAnswer: (text: string) => `(${text})`,
    help: asItIs,
    highlight: asItIs,
    key: (text: string) => `<${text}>`,
    disabled: asItIs,
    searchTerm: asItIs,
    description: asItIs,
    keysHelpTip: (keys: readonly (readonly [key: string, action: string])[]) =>
      keys.map((words) => words.join(' ')).join(' • '),
  },
};
