import { afterWord } from './code-words.ts';
import { isPart, labels, listed, units } from './numbers.ts';

/** A code that a person may have to type: a one-time password, a PIN, a confirmation code. */
export interface FoundCode {
  /** Without the spaces within it. */
  readonly code: string;
  /** Whether words beside it say that it is one. */
  readonly named: boolean;
}

/** How sure it is that a number is a code: `certain` if a word introduces it, `near` if one is only in its sentence. */
type Sureness = 'certain' | 'near' | 'unnamed';

/**
 * The codes in the lines of a message, those that words beside them name first. A code is 4 to 8 digits, or 4 to 8
 * letters and digits; letters alone, and small letters, only if a word introduces them. Years, amounts, dates, phone and order
 * numbers are none unless a word introduces them. A word that is only near one counts if it introduces no other.
 */
export function codesIn(lines: readonly string[]): readonly FoundCode[] {
  const found = new Map<string, Sureness>();
  const read = joinSingles(lines.map((line) => line.replace(address, ' ')));
  for (const [index, line] of read.entries()) {
    let last: { readonly end: number; readonly sureness: Sureness } | undefined;
    for (const match of line.matchAll(token)) {
      const [text] = match;
      // Only what is near matters; without a limit, long lines would take quadratic time.
      const before = line.slice(Math.max(0, match.index - reach), match.index);
      const after = line.slice(match.index + text.length, match.index + text.length + reach);
      const isAlone =
        line.length < reach && /^[^\p{L}\p{N}]*$/u.test(before) && /^[^\p{L}\p{N}]*$/u.test(after);
      // A code on a line of its own is named by the lines around it.
      const around = isAlone ? read.slice(Math.max(0, index - 2), index + 2) : [];
      const above = (read[index - 1] ?? '').slice(-reach);
      const beside = {
        before,
        after,
        isAlone,
        above,
        around: around.filter((one) => one !== line),
      };
      const between = last && line.slice(last.end, match.index);
      const isAnother =
        /^\d+$/.test(text) && !isYear(text) && /^(?:,| or| and) $/.test(between ?? '');
      const sureness = isAnother ? last?.sureness : surenessOf(text, beside);
      if (sureness === undefined) continue;
      last = { end: match.index + text.length, sureness };
      const code = /^[\d ]+$/.test(text) ? text.replaceAll(' ', '') : text;
      found.set(code, surest([found.get(code), sureness]));
    }
  }
  const best = surest([...found.values()]);
  const codes = [...found].map(([code, sureness]) => ({
    code,
    named: sureness !== 'unnamed' && sureness === best,
  }));
  return [...codes.filter(({ named }) => named), ...codes.filter(({ named }) => !named)];
}

/** What follows the last word for a code in the line above, if nothing but it introduces what comes. */
function continued(above: string, before: string): string | undefined {
  const rest = afterWord(`${above} ${before}`);
  return rest !== undefined && introducing.test(rest) ? rest : undefined;
}

function surest(all: readonly (Sureness | undefined)[]): Sureness {
  return all.includes('certain') ? 'certain' : all.includes('near') ? 'near' : 'unnamed';
}

/** How many characters before and after a code are read. */
const reach = 200;

/** Web and mail addresses, whose digits are no codes. */
const address =
  /\b[a-z][a-z\d+.-]{0,20}:\/\/\S+|\bwww\.\S+|(?<![^\s@<>])[^\s@<>]{1,64}@[^\s@<>]{1,255}/gi;

/** Scripts that set no spaces between words and numbers. */
const dense = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]';

/** `123456`, `A1B2C3`, `a1b2c3`, `123 456`, `1234 5678`, `12 34 56`, `123-456`, `ABC-123`, `G-123456` or `1 2 3 4 5 6`. */
const token = new RegExp(
  `(?<!(?!${dense})[\\p{L}\\p{N}_])(?:\\d(?: \\d){3,7}|\\d\\d(?: \\d\\d){2,3}|\\d{3} \\d{3}|\\d{4} \\d{4}|[A-Z]{1,4}-\\d{3,8}|[A-Z\\d]{3,4}-[A-Z\\d]{3,4}|[A-Z\\d]{4,8}|(?=[A-Za-z]{0,7}\\d)[A-Za-z\\d]{4,8})(?!(?!${dense})[\\p{L}\\p{N}_])`,
  'gu',
);

interface Beside {
  readonly before: string;
  readonly after: string;
  readonly isAlone: boolean;
  /** The line above it. */
  readonly above: string;
  /** All lines around it, if it has one of its own. */
  readonly around: readonly string[];
}

/** How sure it is that this is a code; undefined if it is none. */
function surenessOf(text: string, beside: Beside): Sureness | undefined {
  const { before, after, isAlone, above, around } = beside;
  // A sentence may go on from the line above.
  const rest =
    afterWord(before) ??
    (isAlone || before.length > 12 || isYear(text) ? undefined : continued(above, before));
  const isIntroduced = rest !== undefined && introducing.test(rest);
  if (isPart(isIntroduced ? before.replace(/[=#]\s?$/, '') : before, after)) return undefined;
  if (redeemed.test(after)) return undefined;
  const hasWord = (line: string) => afterWord(line.slice(-reach)) !== undefined;
  if (
    isAlone &&
    above.length < nearby &&
    !above.endsWith('.') &&
    labels.test(above) &&
    !hasWord(above)
  ) {
    return undefined;
  }
  const heading = rest === undefined && around.some(hasWord);
  // Capitals also stand for emphasis: "your code is VALID for ten minutes", "ENTER YOUR CODE HERE".
  if (/^[A-Z]+(?:-[A-Z]+)?$/.test(text)) {
    if (!/^\s*(?:$|[.,!;)\]*"'”»])/.test(after)) return undefined;
    if (heading) return 'near';
    return isIntroduced && (/[:：=]/.test(rest) || (/\p{L}/u.test(rest) && /\p{Ll}/u.test(before)))
      ? 'certain'
      : undefined;
  }
  if (isIntroduced || (heading && !/[a-z]/.test(text))) return 'certain';
  // A year may be anywhere near the word.
  if (/[a-z]/.test(text) || isYear(text)) return undefined;
  if (isAnnounced(before, after)) return 'certain';
  if (labels.test(before) || listed.test(before) || units.test(after)) return undefined;
  const isGroups = /[ -]/.test(text);
  if (!isGroups && isNear(rest, { before, after })) return 'near';
  // In groups, or in letters, it is rather something else.
  if (isGroups) return isAlone && /\d/.test(text) ? 'unnamed' : undefined;
  return /^\d+$/.test(text) || (/\d/.test(text) && isAlone) ? 'unnamed' : undefined;
}

/** How many characters may stand between the word and the code. */
const nearby = 60;

/** Between them: the end of a sentence, or another number. */
const separating = /[.!?]\s|\p{N}/u;

/** `Code: ` and `code is `, after which anything is a code. */
const introducing =
  /^[^\p{L}\p{N}.!?]{0,3}(?:number |no\.? )?(?:is|lautet|ist|est(?: le)?|es|è|é|为|是)?[\s:：=#|→–—*"'“«<[(`-]*$/iu;

/** After a code that gives a discount. */
const redeemed = /^["'”»*]?\s[^.!?]{0,60}(?:\d ?% off|checkout|discount)/i;

/** Whether the words after it, or before and after it, say that it is a code. */
function isAnnounced(before: string, after: string): boolean {
  if (purpose.test(after)) return true;
  const is = /^["'”»*\s]*(?:is|ist|est|es|è|é|as|als|[–—:-])\s(.{0,60})/iu.exec(after)?.[1];
  const sentence = is?.split(/[.!?](?:\s|$)/)[0];
  if (sentence === undefined || /\p{N}/u.test(sentence)) return false;
  return afterWord(sentence) !== undefined && !labels.test(before);
}

function isNear(
  rest: string | undefined,
  { before, after }: Pick<Beside, 'before' | 'after'>,
): boolean {
  if (/(?:^|[\s:])(?:enter|type)[\s:"'“*]*$/iu.test(before)) return true;
  if (rest === undefined || rest.length > nearby || separating.test(rest)) return false;
  return (
    !/(?:^|\s)(?:at|until|till|by|before|for|from|since|call|dial|bis|um)\s*$/iu.test(before) &&
    !/^\s(?:at|on)\s/.test(after)
  );
}

const purpose =
  /^["'”»*\s]*(?:to|in order to)\s+(?:verify|confirm|sign|log|complete|finish|activate|reset|continue|proceed)\b/iu;

/** Whether it may be a year, or a date such as 20260131. */
function isYear(text: string): boolean {
  return /^(?:19|20)\d\d(?:(?:0[1-9]|1[0-2])[0-3]\d)?$/.test(text);
}

/** Joins lines of one character each, which are a code in boxes. */
function joinSingles(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let singles: string[] = [];
  const end = () => {
    if (singles.length > 0) joined.push(singles.length < 4 ? singles.join('\n') : singles.join(''));
    singles = [];
  };
  for (const line of lines) {
    if (/^[A-Z\d]$/.test(line)) {
      singles.push(line);
      continue;
    }
    end();
    joined.push(line);
  }
  end();
  return joined;
}
