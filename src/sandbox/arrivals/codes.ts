/** A code that a person may have to type: a one-time password, a PIN, a confirmation code. */
export interface FoundCode {
  /** Without the spaces within it. */
  readonly code: string;
  /** Whether words beside it say that it is one. */
  readonly named: boolean;
}

/**
 * The codes in the lines of a message, those that words beside them name first. A code is 4 to 8 digits, or 4 to 8
 * capital letters and digits; letters alone only if they are named. Years, amounts, dates, phone and order numbers are none unless
 * they are named.
 */
export function codesIn(lines: readonly string[]): readonly FoundCode[] {
  const found = new Map<string, boolean>();
  const read = joinSingles(lines.map((line) => line.replace(address, ' ')));
  for (const [index, line] of read.entries()) {
    for (const match of line.matchAll(token)) {
      const [text] = match;
      // Only what is near matters; without a limit, long lines would take quadratic time.
      const before = line.slice(Math.max(0, match.index - reach), match.index);
      const after = line.slice(match.index + text.length, match.index + text.length + reach);
      if (isPart(before, after)) continue;
      const isAlone =
        line.length < reach && /^[\s*:"'“”»«[(]*$/.test(before) && /^[\s*."'“”»«\])]*$/.test(after);
      // A code on a line of its own is named by the lines around it.
      const around = isAlone ? read.slice(Math.max(0, index - 2), index + 2) : [];
      const named = isNamed(text, { before, after, around: around.filter((one) => one !== line) });
      if (!named && !isPlain(text, { before, after, isAlone })) continue;
      const code = /^[\d ]+$/.test(text) ? text.replaceAll(' ', '') : text;
      found.set(code, named || found.get(code) === true);
    }
  }
  const codes = [...found].map(([code, named]) => ({ code, named }));
  return [...codes.filter(({ named }) => named), ...codes.filter(({ named }) => !named)];
}

/** How many characters before and after a code are read. */
const reach = 200;

/** Web and mail addresses, whose digits are no codes. */
const address =
  /\b[a-z][a-z\d+.-]{0,20}:\/\/\S+|\bwww\.\S+|(?<![^\s@<>])[^\s@<>]{1,64}@[^\s@<>]{1,255}/gi;

/** `123456`, `A1B2C3`, `123 456`, `123-456`, `ABC-123`, `G-123456` or `1 2 3 4 5 6`. */
const token =
  /(?<![\p{L}\p{N}_])(?:\d(?: \d){3,7}|\d{3} \d{3}|[A-Z]{1,4}-\d{3,8}|[A-Z\d]{3,4}-[A-Z\d]{3,4}|[A-Z\d]{4,8})(?![\p{L}\p{N}_])/gu;

interface Around {
  readonly before: string;
  readonly after: string;
}

/** Whether it is part of an amount, a date, a time, a phone number or a longer code. */
function isPart(before: string, after: string): boolean {
  return (
    /[\p{N}][\s.,:/()-]{0,2}$|[$€£¥+/=&#@_\\-]\s?$/u.test(before) ||
    /^(?:[\s.,:/()-]{0,2}\p{N}|\s?[$€£¥%‰°]|[@_/\\=&-])/u.test(after)
  );
}

const words =
  '(?<![\\p{L}])(?:(?:one[- ]time )?pass ?code|\\p{L}{0,30}code|\\p{L}{0,20}kode|kod|kód|koodi|c[oó]digo|codice|(?:one[- ]time )?pin|otp|tan|one[- ]time password|einmal-?(?:kennwort|passwort)|код|κωδικ\\p{L}{1,3})(?![\\p{L}])|コード|验证码|驗證碼|代码|인증번호|코드|קוד|رمز';

/** Compounds that end in `code` but are no codes to type. */
const otherWords =
  /(?:bar|qr|zip|post|uni|en|de|source|shell|byte|trans|g|m|vs|x|geo)[- ]?code$|(?:postal|area|country|error|dress|tracking|promo\p{L}*|coupon|discount|voucher|gift|referral|invite|booking|reservation|order|product|status|sort|swift|dialling|dialing|tax|exit|colou?r|source|http)\s+code$|(?:rabatt|gutschein|aktions|buchungs|fehler|länder|farb)code$|(?:código|codice)\s+(?:postal|postale|promocional|de descuento|sconto)$/iu;

const codeWord = new RegExp(words, 'giu');

/** Where the last word for a code in a text ends; undefined if there is none, or only a word for another code. */
function afterWord(text: string): string | undefined {
  let rest: string | undefined;
  for (const match of text.matchAll(codeWord)) {
    const end = match.index + match[0].length;
    // `tan` and `pin` are words of their own, too.
    const isWritten = !/^(?:tan|pin)$/i.test(match[0]) || match[0] === match[0].toUpperCase();
    rest = otherWords.test(text.slice(0, end)) || !isWritten ? undefined : text.slice(end);
  }
  return rest;
}

/** How many characters may stand between the word and the code. */
const nearby = 60;

/** Between them: the end of a sentence, or another number. */
const separating = /[.!?]\s|\p{N}/u;

/** `Code: ` and `code is `, after which anything is a code. */
const introducing = /^[^\p{L}\p{N}]{0,3}(?:is|lautet|ist|est|es|è|é)?[\s:：=–—*"'“«[(-]*$/iu;

function isNamed(
  text: string,
  { before, after, around }: Around & { readonly around: readonly string[] },
): boolean {
  const heading = around.some((line) => afterWord(line.slice(-reach)) !== undefined);
  const rest = afterWord(before);
  const introduced =
    (rest !== undefined && introducing.test(rest)) || (rest === undefined && heading);
  const isWhole = /^\s*(?:$|[.,!;)\]*"'”»])/.test(after);
  // Capitals also stand for emphasis: "your code is VALID for ten minutes".
  if (/^[A-Z]+(?:-[A-Z]+)?$/.test(text)) return introduced && isWhole;
  if (introduced) return true;
  // A year may be anywhere near the word.
  if (isYear(text)) return false;
  if (rest !== undefined && rest.length <= nearby && !separating.test(rest)) return true;
  if (/(?:^|[\s:])(?:enter|use|type|with)[\s:"'“]*$/iu.test(before) && purpose.test(after))
    return true;
  const is = /^["'”»*\s]*(?:is|ist|est|es|è|é)\s(.{0,60})/iu.exec(after)?.[1];
  const sentence = is?.split(/[.!?](?:\s|$)/)[0];
  return (
    purpose.test(after) ||
    (sentence !== undefined && !/\p{N}/u.test(sentence) && afterWord(sentence) !== undefined)
  );
}

const purpose =
  /^["'”»*\s]*(?:to|in order to)\s+(?:verify|confirm|sign|log|complete|finish|activate|reset|continue|proceed)\b/iu;

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text);
}

/** What stands before other numbers. */
const labels =
  /(?:code|order|invoice|receipt|ticket|account|customer|reference|ref|number|no|nr|nº|num|id|case|article|item|model|version|suite|room|floor|flat|box|street|str|avenue|ave|road|platform|gate|seat|flight|phone|tel|fax|mobile|page|line|error|rfc|iso|din|build|bestellung|rechnung|kunde|auftrag|konto|artikel|telefon|commande|facture|pedido|factura|fattura|ordine)(?:\s+is)?[\s.:#-]*$/iu;

/** Words, units and names after other numbers, and a place after its postcode. */
const units =
  /^\s?(?:€|EUR|USD|GBP|CHF|kg|g|km|m|cm|mm|px|pt|ms|min|kB|KB|MB|GB|TB|W|V|users?|people|customers?|members?|emails?|points?|items?|steps?|words?|hours?|days?|years?|Uhr|Punkte|Personen)\b|^\s\p{Lu}\p{Ll}+/u;

/** Whether an unnamed token may be a code all the same. */
function isPlain(
  text: string,
  { before, after, isAlone }: Around & { readonly isAlone: boolean },
): boolean {
  if (isYear(text) || labels.test(before) || units.test(after)) return false;
  // In groups, or in letters, it is rather something else.
  if (/[ -]/.test(text)) return isAlone && /\d/.test(text);
  return /\d/.test(text) && (/^\d+$/.test(text) || (/[A-Z]/.test(text) && isAlone));
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
