import type { Notes } from '../../base/terminal/notes.ts';
import { isForPowerShell, type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import type { Word } from './word.ts';

/** The command line that is run, and the shell it is for. */
interface OwnLine {
  readonly words: readonly Word[];
  readonly system: ShellSystem;
}

/** Flags by name, with values that repeat a request exactly; `true` for a flag without a value. */
export type RepeatFlags = Readonly<Record<string, string | true>>;

/** The command line that repeats this one with the same idempotency key, quoted for the shell. */
function repeatLine(
  { words, system }: OwnLine,
  idempotencyKey: string,
  settled: RepeatFlags,
): string {
  const replaced: RepeatFlags = { ...settled, '--idempotency-key': idempotencyKey };
  const added = Object.entries(replaced).flatMap(([flag, value]) => {
    if (value === true) return [flag];
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value];
  });
  return shellQuote(['mailer', ...replaceFlags(words, Object.keys(replaced), added)], system);
}

/**
 * The words without the dropped flags and their values, and with the added ones among the flags.
 */
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

/** This command line with other flags, quoted for the shell, and what else it needs. */
export function sameCommand(
  { words, system }: OwnLine,
  dropped: readonly string[],
  added: readonly string[],
) {
  return {
    line: shellQuote(['mailer', ...replaceFlags(words, dropped, added)], system),
    needs: needsOf(words, system),
  };
}

/**
 * The end of a sentence before a colon and the command line: what its input is, and its shell
 * unless that is sh.
 */
function needsOf(words: readonly Word[], system: ShellSystem): string {
  const input = readsStdin(words) ? ', with the same standard input' : '';
  return isForPowerShell(system) ? `${input}, quoted for PowerShell` : input;
}

/**
 * Whether a `-` among the words means stdin: as an argument, or as the value of a flag for a file.
 */
function readsStdin(words: readonly Word[]): boolean {
  return words.some(({ text, kind }, index) => {
    if (text !== '-') return /^--(.+-)?(file|input|eml)=-$/.test(text);
    return kind !== 'value' || /^--((.+-)?file|input|eml)$/.test(words[index - 1]?.text ?? '');
  });
}

/** The hint of a send with an unknown outcome: the command that repeats it safely, by its key. */
export function repeatCommand(context: OwnLine, settled: RepeatFlags) {
  return (idempotencyKey: string, unrecorded?: string): string => {
    const again = repeatLine(context, idempotencyKey, settled);
    const needs = needsOf(context.words, context.system);
    const past =
      settled['--allow-past'] === undefined
        ? ''
        : 'If its time has passed by then, it is sent at once. ';
    const how =
      unrecorded === undefined
        ? 'For 24 hours, this command sends it again only if the service does not have it'
        : 'Check with mailer email list first. If it is not there, this command sends it again';
    return `The request may have been accepted. ${past}${how}${needs}:\n${again}`;
  };
}

/** Warns that a repetition will not know of a send. */
export function warnUnrecorded({ notes }: { readonly notes: Notes }) {
  return (reason: string): void =>
    notes.warn(
      `Cannot record that this send began (${reason}). If its response is lost, check with mailer email list before you repeat it.`,
    );
}
