import { isForPowerShell, type ShellSystem, shellQuote } from '../text/shell-quote.ts';
import type { Context, Word } from './context.ts';

/** Flags, by name, with values to repeat a request exactly; `true` for one that takes no value. */
export type Settled = Readonly<Record<string, string | true>>;

/** The command line that repeats this one under the same idempotency key, quoted for the shell. */
function repeatLine(
  { words, system }: Pick<Context, 'words' | 'system'>,
  idempotencyKey: string,
  settled: Settled,
): string {
  const replaced: Settled = { ...settled, '--idempotency-key': idempotencyKey };
  const added = Object.entries(replaced).flatMap(([flag, value]) => {
    if (value === true) return [flag];
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
  });
  return shellQuote(['mailer', ...replaceFlags(words, Object.keys(replaced), added)], system);
}

/** The words without these flags and their values, and with others among the flags. */
function replaceFlags(
  words: readonly Word[],
  dropped: readonly string[],
  added: readonly string[],
): string[] {
  const kept = words.filter(({ text, kind }, index) => {
    const flag = kind === 'value' ? words[index - 1]?.text : text.split('=', 1)[0];
    return !(kind === 'value' || kind === 'flag') || !dropped.includes(flag ?? '');
  });
  const texts = (isAfter: boolean) =>
    kept.filter(({ kind }) => (kind === 'end') === isAfter).map(({ text }) => text);
  return [...texts(false), ...added, ...texts(true)];
}

/** This command line, quoted for the shell, with other flags, and what it needs besides. */
export function sameCommand(
  { words, system }: Pick<Context, 'words' | 'system'>,
  dropped: readonly string[],
  added: readonly string[],
) {
  return {
    line: shellQuote(['mailer', ...replaceFlags(words, dropped, added)], system),
    needs: needsOf(words, system),
  };
}

/** The end of a sentence, before the colon and the line: its input, and its shell unless it is sh. */
function needsOf(words: readonly Word[], system: ShellSystem): string {
  const input = readsStdin(words) ? ', with the same standard input' : '';
  return isForPowerShell(system) ? `${input}, quoted for PowerShell` : input;
}

/** Whether a `-` among the words is stdin: an argument, or the value of a flag for a file. */
function readsStdin(words: readonly Word[]): boolean {
  return words.some(({ text, kind }, index) => {
    if (text !== '-') return /^--(.+-)?(file|input|eml)=-$/.test(text);
    return kind !== 'value' || /^--((.+-)?file|input|eml)$/.test(words[index - 1]?.text ?? '');
  });
}

/** The hint of a send whose outcome is unknown: the command that repeats it safely, by its key. */
export function repeatCommand(context: Pick<Context, 'words' | 'system'>, settled: Settled) {
  return (idempotencyKey: string): string => {
    const again = repeatLine(context, idempotencyKey, settled);
    const needs = needsOf(context.words, context.system);
    const past =
      settled['--allow-past'] === undefined
        ? ''
        : 'If its time has passed by then, it is sent at once. ';
    return `The request may have been accepted. ${past}This repeats it without sending it twice, for 24 hours${needs}:\n${again}`;
  };
}
