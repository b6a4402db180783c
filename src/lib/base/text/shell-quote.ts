import type { System } from '../system/system.ts';
import { byUnit, replaceHidden, visible } from './visible.ts';

/** What tells which shell a person uses. */
export type ShellSystem = Pick<System, 'env' | 'platform'>;

/** Whether commands to copy are for PowerShell; otherwise they are for a POSIX shell or fish. */
export function isForPowerShell({ env, platform }: ShellSystem): boolean {
  const shell = /([^/\\]*?)(?:\.exe)?$/i.exec(env.SHELL ?? '')?.[1]?.toLowerCase() ?? '';
  if (shell === 'pwsh' || shell === 'powershell') return true;
  // Git's bash on Windows sets SHELL; cmd and PowerShell do not.
  return platform === 'win32' && !/sh$/.test(shell);
}

/**
 * `args` as a command line to paste; the shell splits it into the same words, byte by byte. One
 * form is for sh, dash, bash, zsh and fish, the other for PowerShell. Safe words are not quoted.
 * Hidden characters except LF are escaped, so the terminal shows all there is. cmd accepts the
 * PowerShell form, too, except for words with a hidden character or one of `"`, `$`, `%`, `!`, a
 * typographic quote, a backtick or a trailing backslash: no quoting of these works in both.
 */
export function shellQuote(args: readonly string[], system: ShellSystem): string {
  return args.map(isForPowerShell(system) ? quoteForPowerShell : quoteForPosix).join(' ');
}

function quoteForPosix(word: string, index: number): string {
  // A first word name=value would be an assignment. zsh expands a leading =, fish a leading %.
  const bare = index === 0 ? /^[\w/:@+,.-][\w/:@%+,.-]*$/ : /^[\w/:@+,.-][\w/:@%+,.=-]*$/;
  if (bare.test(word)) return word;
  if (!hasHidden(word)) return inSingleQuotes(word);
  // A command substitution removes line breaks at the end.
  let end = word.length;
  while (word[end - 1] === '\n') end--;
  const lineBreaks = end === word.length ? '' : inSingleQuotes(word.slice(end));
  return `"$(printf '${asFormat(word.slice(0, end))}')"${lineBreaks}`;
}

/**
 * All these shells read `'…'` alike, but fish removes a backslash before another one or a quote.
 */
function inSingleQuotes(word: string): string {
  const safe = word.replace(/'|\\(?=[\\']|$)/g, (character) => `'\\${character}'`);
  return `'${safe}'`;
}

/**
 * A printf format for a text, in single quotes. It also escapes what one of the shells treats
 * specially there: a leading hyphen, a backslash, a quote, and `!`, which interactive shells look
 * for in the double quotes around it.
 */
function asFormat(text: string): string {
  return replaceHidden(
    text.replace(/^-|[\\'!%]/g, (character) => (character === '%' ? '%%' : octalBytes(character))),
    (character) => (character === '\n' ? character : octalBytes(character)),
  );
}

function octalBytes(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');
}

function quoteForPowerShell(word: string): string {
  // PowerShell splits a bare -word at a dot or colon, and drops a bare --.
  if (/^(?!-.*[.:]|--$)[\w/\\:=+.-]+$/.test(word)) return word;
  if (hasHidden(word) || /["“”„$%!`‘’‚‛]|\\$/.test(word)) return inPowerShellQuotes(word);
  return `"${word}"`;
}

/** A word as a PowerShell string that means the same in any position. */
function inPowerShellQuotes(word: string): string {
  return hasHidden(word) ? inDoubleQuotes(word) : `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
}

/** For PowerShell: hidden characters as `$([char]0x1b)`, which even the oldest version reads. */
function inDoubleQuotes(word: string): string {
  const escaped = replaceHidden(word.replace(/["“”„$`]/g, '`$&'), (character) =>
    character === '\n' ? character : byUnit(character, (hex) => `$([char]0x${hex})`),
  );
  return `"${escaped}"`;
}

/** Whether a word has hidden characters other than line breaks. */
function hasHidden(word: string): boolean {
  const text = word.replaceAll('\n', ' ');
  return visible(text) !== text;
}

/**
 * A line to paste that sets an environment variable. cmd rejects the PowerShell form with an error,
 * which people notice; PowerShell would accept cmd's `set` and set nothing. fish has `export`.
 */
export function setVariable(variable: string, value: string, system: ShellSystem): string {
  return isForPowerShell(system)
    ? `$env:${variable} = ${inPowerShellQuotes(value)}`
    : `export ${variable}=${shellQuote([value], system)}`;
}

/** The same for an example path below the root, for the user to change. `path` has slashes. */
export function setToPath(variable: string, path: string, system: ShellSystem): string {
  const whole = system.platform === 'win32' ? `C:\\${path.replaceAll('/', '\\')}` : `/${path}`;
  return setVariable(variable, whole, system);
}
