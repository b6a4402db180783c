import type { System } from '../system/system.ts';
import { byUnit, replaceHidden, visible } from './visible.ts';

/** What tells which shell a person types into. */
export type ShellSystem = Pick<System, 'env' | 'platform'>;

/** Whether commands to copy are for PowerShell, and not for a POSIX shell or fish. */
export function isForPowerShell({ env, platform }: ShellSystem): boolean {
  const shell = /([^/\\]*?)(?:\.exe)?$/i.exec(env.SHELL ?? '')?.[1]?.toLowerCase() ?? '';
  if (shell === 'pwsh' || shell === 'powershell') return true;
  // Git's bash on Windows has a SHELL, cmd and PowerShell have none.
  return platform === 'win32' && !/sh$/.test(shell);
}

/**
 * `args` as one command line to paste into a shell that makes the same words of it, byte by byte:
 * sh, dash, bash, zsh and fish read it alike, or it is for PowerShell. Safe words stay bare. Hidden
 * characters but LF are written as escapes, so that what a terminal shows is all there is. cmd takes
 * what is for PowerShell too, but for words with a hidden character or one of `"`, `$`, `%`, `!`, a
 * typographic quote, a backtick or a trailing backslash: nothing quotes these for both.
 */
export function shellQuote(args: readonly string[], system: ShellSystem): string {
  return args.map(isForPowerShell(system) ? quoteForPowerShell : quoteForPosix).join(' ');
}

function quoteForPosix(word: string, index: number): string {
  // As the first word, name=value is an assignment and not a command. zsh looks up what follows a
  // leading =, and fish a leading %.
  const bare = index === 0 ? /^[\w/:@+,.-][\w/:@%+,.-]*$/ : /^[\w/:@+,.-][\w/:@%+,.=-]*$/;
  if (bare.test(word)) return word;
  if (!hasHidden(word)) return inSingleQuotes(word);
  // A command substitution takes away line breaks at the end.
  let end = word.length;
  while (word[end - 1] === '\n') end--;
  const lineBreaks = end === word.length ? '' : inSingleQuotes(word.slice(end));
  return `"$(printf '${asFormat(word.slice(0, end))}')"${lineBreaks}`;
}

/** Each reading of `'…'` is the same but that fish takes a backslash before another or a quote away. */
function inSingleQuotes(word: string): string {
  const safe = word.replace(/'|\\(?=[\\']|$)/g, (character) => `'\\${character}'`);
  return `'${safe}'`;
}

/**
 * A format of printf that stands for a text, in single quotes. Escaped too is what one of the shells
 * reads in another way there: a leading hyphen, a backslash, a quote, and `!`, as interactive
 * shells look for it in double quotes, around it.
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
  // PowerShell takes a bare -word apart at a dot or colon, and a bare -- away.
  if (/^(?!-.*[.:]|--$)[\w/\\:=+.-]+$/.test(word)) return word;
  if (hasHidden(word) || /["“”„$%!`‘’‚‛]|\\$/.test(word)) return inPowerShellQuotes(word);
  return `"${word}"`;
}

/** A word as a string of PowerShell, which means the same wherever one may stand. */
function inPowerShellQuotes(word: string): string {
  return hasHidden(word) ? inDoubleQuotes(word) : `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
}

/** For PowerShell: hidden characters as `$([char]0x1b)`, which the oldest one reads, too. */
function inDoubleQuotes(word: string): string {
  const escaped = replaceHidden(word.replace(/["“”„$`]/g, '`$&'), (character) =>
    character === '\n' ? character : byUnit(character, (hex) => `$([char]0x${hex})`),
  );
  return `"${escaped}"`;
}

/** Whether there is anything hidden in a word but line breaks. */
function hasHidden(word: string): boolean {
  const text = word.replaceAll('\n', ' ');
  return visible(text) !== text;
}

/**
 * A line to paste that sets a variable of the environment. What is for PowerShell is an error in cmd,
 * which a person sees; PowerShell would take cmd's `set` silently and set nothing. fish knows `export`.
 */
export function setVariable(variable: string, value: string, system: ShellSystem): string {
  return isForPowerShell(system)
    ? `$env:${variable} = ${inPowerShellQuotes(value)}`
    : `export ${variable}=${shellQuote([value], system)}`;
}

/** The same for an example path below the root: `path` has slashes, and is to be changed. */
export function setToPath(variable: string, path: string, system: ShellSystem): string {
  const whole = system.platform === 'win32' ? `C:\\${path.replaceAll('/', '\\')}` : `/${path}`;
  return setVariable(variable, whole, system);
}
