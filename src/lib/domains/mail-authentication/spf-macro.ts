/** A text of an SPF record with macros (RFC 7208, 7.1). */
export type MacroString = readonly (string | Macro)[];

/** `%{...}` */
export interface Macro {
  /** In lower case. */
  readonly letter: string;
  /** Written in upper case, so that its value is escaped as in a URL. */
  readonly escaped: boolean;
  /** How many parts are kept, from the right. */
  readonly parts: number;
  readonly reversed: boolean;
  readonly delimiters: string;
}

/** The values of the letters. */
export type MacroValues = Readonly<Partial<Record<string, string>>>;

/** Where only the letters of a domain are allowed, and where those of explanations are, too (RFC 7208, 7.2). */
const letters = { domain: 'slodiphv', any: 'slodiphvcrt' };

/** Reads a macro-string; a string is the sentence about its first error. */
export function parseMacros(text: string, allowed: keyof typeof letters): MacroString | string {
  const parts: (string | Macro)[] = [];
  for (const [piece] of text.matchAll(/%\{[^}]*\}|%[%_-]|[^%]+|%/g)) {
    if (!piece.startsWith('%')) parts.push(piece);
    else if (piece === '%%') parts.push('%');
    else if (piece === '%_') parts.push(' ');
    else if (piece === '%-') parts.push('%20');
    else {
      const macro = /^%\{([a-z])(\d*)(r?)([.\-+,/_=]*)\}$/i.exec(piece);
      if (macro === null) {
        return piece === '%'
          ? 'This % does not start a macro; write a plain % as %%.'
          : `${piece} is not a macro.`;
      }
      const [, letter = '', digits = '', reverse = '', delimiters = ''] = macro;
      const lower = letter.toLowerCase();
      if (!letters.any.includes(lower)) return `${piece} has an unknown letter.`;
      if (!letters[allowed].includes(lower)) return `${piece} is only allowed in explanations.`;
      if (digits !== '' && Number(digits) === 0) return `${piece} keeps no part.`;
      parts.push({
        letter: lower,
        escaped: letter !== lower,
        parts: digits === '' ? Number.POSITIVE_INFINITY : Number(digits),
        reversed: reverse !== '',
        delimiters: delimiters || '.',
      });
    }
  }
  return parts;
}

/** The text with all macros replaced; undefined if `values` lacks one of their letters. */
export function expandMacros(text: MacroString, values: MacroValues): string | undefined {
  const pieces = text.map((part) => (typeof part === 'string' ? part : expand(part, values)));
  return pieces.includes(undefined) ? undefined : pieces.join('');
}

/** Whether a text has a macro of this letter. */
export function usesMacro(text: MacroString, letter: string): boolean {
  return text.some((part) => typeof part !== 'string' && part.letter === letter);
}

function expand(macro: Macro, values: MacroValues): string | undefined {
  const value = values[macro.letter];
  if (value === undefined) return undefined;
  const isDelimiter = (character: string) => macro.delimiters.includes(character);
  const split = [...value]
    .map((one) => (isDelimiter(one) ? '\n' : one))
    .join('')
    .split('\n');
  const ordered = macro.reversed ? split.reverse() : split;
  const kept = ordered.slice(-Math.min(macro.parts, ordered.length)).join('.');
  return macro.escaped ? escaped(kept) : kept;
}

/** Everything but the unreserved characters of RFC 3986 as `%xx`. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
