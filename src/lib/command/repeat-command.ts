import { isForPowerShell, type ShellSystem, shellQuote } from '../text/shell-quote.ts';
import type { Context } from './context.ts';
import { wordKinds } from './flag-words.ts';

/**
 * Flags whose values came from elsewhere or had to be made exact, by name; `true` for one that
 * takes no value. With them, the second request has the same body as the first.
 */
export type Settled = Readonly<Record<string, string | true>>;

/** The command line that repeats this one under the same idempotency key, quoted for the shell. */
function repeatLine(
  { argv, system }: Pick<Context, 'argv' | 'system'>,
  idempotencyKey: string,
  settled: Settled,
): string {
  const replaced: Settled = { ...settled, '--idempotency-key': idempotencyKey };
  const added = Object.entries(replaced).flatMap(([flag, value]) =>
    value === true ? [flag] : [flag, value],
  );
  return shellQuote(['mailer', ...replaceFlags(argv, Object.keys(replaced), added)], system);
}

/** The words without these flags and their values, and with others among the flags. */
function replaceFlags(
  argv: readonly string[],
  dropped: readonly string[],
  added: readonly string[],
): string[] {
  const kinds = wordKinds(argv);
  const kept = argv.filter((word, index) => {
    if (kinds[index] === 'value') return !dropped.includes(argv[index - 1] ?? '');
    return kinds[index] !== 'flag' || !dropped.includes(word.split('=', 1)[0] ?? '');
  });
  const end = wordKinds(kept).indexOf('end');
  const flags = end === -1 ? kept : kept.slice(0, end);
  return [...flags, ...added, ...kept.slice(flags.length)];
}

/**
 * This command line itself, quoted for the shell, and what it needs besides; without some of its
 * flags, and with others in their place.
 */
export function sameCommand(
  { argv, system }: Pick<Context, 'argv' | 'system'>,
  dropped: readonly string[],
  added: readonly string[],
) {
  return {
    line: shellQuote(['mailer', ...replaceFlags(argv, dropped, added)], system),
    needs: needsOf(argv, system),
  };
}

/** What goes on a sentence, before the colon and the line: its input, and its shell unless it is sh. */
function needsOf(argv: readonly string[], system: ShellSystem): string {
  const input = readsStdin(argv) ? ', with the same standard input' : '';
  return isForPowerShell(system) ? `${input}, quoted for PowerShell` : input;
}

/** Whether a `-` among the words is stdin: an argument, or the value of a flag for a file. */
function readsStdin(argv: readonly string[]): boolean {
  const kinds = wordKinds(argv);
  return argv.some((word, index) => {
    if (word !== '-') return /^--(.+-)?(file|input)=-$/.test(word);
    return kinds[index] !== 'value' || /^--((.+-)?file|input)$/.test(argv[index - 1] ?? '');
  });
}

/** The hint of a send whose outcome is unknown: the command that repeats it safely, by its key. */
export function repeatCommand(context: Pick<Context, 'argv' | 'system'>, settled: Settled) {
  return (idempotencyKey: string): string => {
    const again = repeatLine(context, idempotencyKey, settled);
    const needs = needsOf(context.argv, context.system);
    const past =
      settled['--allow-past'] === undefined
        ? ''
        : 'A time that has passed when it is repeated means at once. ';
    return `It may have been accepted all the same. ${past}This repeats it without sending it twice, for 24 hours${needs}:\n${again}`;
  };
}
