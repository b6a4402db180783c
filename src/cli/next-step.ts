import { isForPowerShell, type ShellSystem } from '../lib/base/text/shell-quote.ts';
import { attempt } from '../shared/attempt.ts';
import { type Line, readLine } from './command-line.ts';
import { parse } from './parse.ts';

/** The command line of a hint: at its beginning or after a colon, until the end of its line or sentence. */
const lineIn = /(?:^|: |\bSee )mailer ((?:'[^'\n]*'|\\'|[^'\n.]|\.(?!\s|$))+)(?:\.(?=\s|$)|$)/m;

/**
 * The words of the one command line in a hint, for a program to run as they stand; undefined if there are none or several,
 * if a value is missing, or if the command does more than read, by what it says of itself.
 */
export async function safeNextStep(
  hint: string,
  system: ShellSystem,
): Promise<readonly string[] | undefined> {
  const [, text] = lineIn.exec(hint) ?? [];
  if (text === undefined || hint.match(/\bmailer\b/g)?.length !== 1) return undefined;
  const words = wordsOf(text, isForPowerShell(system));
  if (words === undefined || words.some(isPlaceholder)) return undefined;
  const line = await readLine(words);
  const isComplete = attempt(() => parse(line, { width: 80, color: false }), undefined);
  return isComplete !== undefined && onlyReads(line) ? ['mailer', ...words] : undefined;
}

function isPlaceholder(word: string): boolean {
  return /^[A-Z][A-Z_]*$|…/.test(word.replace(/^--[\w-]+=/, ''));
}

/** The words of a shell; undefined if they depend on more than quotes. */
function wordsOf(text: string, isPowerShell: boolean): readonly string[] | undefined {
  if (/["`$\\;|&<>()*?]/.test(text.replace(/'[^']*'|\\'/g, ''))) return undefined;
  if (isPowerShell && text.includes("'")) return undefined;
  return text
    .trim()
    .match(/(?:'[^']*'|\\'|[^\s'])+/g)
    ?.map((word) => word.replace(/'([^']*)'|\\(')/g, (_, quoted = "'") => quoted));
}

function onlyReads({ level: { command }, given }: Line): boolean {
  if (command === undefined || given.has('--yes') || given.has('--again')) return false;
  return Object.entries(command.effects).every(
    ([effect, cause]) =>
      effect === 'reads' ||
      // Only whether a flag is given can be told from the line.
      (cause !== true && cause.every((flag) => flag.startsWith('--') && !given.has(flag))),
  );
}
