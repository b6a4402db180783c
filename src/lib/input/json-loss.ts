import { endOfString } from '../json/nesting.ts';

/**
 * What `JSON.parse` has changed in making this value of this text, which it says nothing of: of a name
 * that is twice in an object only the last value is left, or a number is rounded. `whose` is what to
 * call the text. Undefined for nearly every text, as a count of its names tells, which is quick.
 *
 * No library: once it is known to be JSON, names and numbers are easy to see.
 */
export function lostInParsing(json: string, value: unknown, whose: string): string | undefined {
  const seen = { names: 0, numbers: false };
  count(value, seen, 0);
  if (namesAtMost(json) === seen.names && !(seen.numbers && longNumber.test(json))) {
    return undefined;
  }
  return lookCloser(json, whose);
}

/** Levels of a value that are counted; one that has more is looked at closer, which takes no stack. */
const deepestCounted = 100;

/** Counts the names in a value. */
function count(value: unknown, seen: { names: number; numbers: boolean }, depth: number): void {
  if (typeof value === 'number') seen.numbers = true;
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepestCounted) {
    seen.names = Number.NaN;
  } else if (Array.isArray(value)) {
    for (const one of value) count(one, seen, depth + 1);
  } else {
    // Object.values would make a list; nothing is inherited by what has been parsed.
    for (const name in value) {
      seen.names++;
      // A name of this very object.
      const one: unknown = (value as Record<string, unknown>)[name];
      if (typeof one !== 'string') count(one, seen, depth + 1);
    }
  }
}

/**
 * As many names as a JSON text can have, and nearly always has: a name is followed by a colon, with
 * nothing but white space between. Most colons in strings have a letter before them.
 */
function namesAtMost(json: string): number {
  let names = 0;
  for (let at = json.indexOf(':'); at !== -1; at = json.indexOf(':', at + 1)) {
    const before = json.charCodeAt(at - 1);
    if (before === quote || before <= space) names++;
  }
  return names;
}

const quote = 0x22;
const space = 0x20;

/** What a number must have to lose something: many digits, or an exponent. */
const longNumber = /\d[\d.]{15}|\d[eE]/;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** An object or array around the place that is looked at. */
interface Level {
  /** Those of an object so far. */
  readonly names: Set<string> | undefined;
  /** The last one. */
  name: string;
}

function lookCloser(json: string, whose: string): string | undefined {
  const around: Level[] = [];
  const path = () =>
    around.flatMap(({ names, name }) => (names === undefined ? [] : name)).join('.');
  for (let at = 0; at < json.length; at++) {
    const character = json[at] ?? '';
    if (character === '{') around.push({ names: new Set(), name: '' });
    else if (character === '[') around.push({ names: undefined, name: '' });
    else if (character === '}' || character === ']') around.pop();
    else if (character === '"') {
      const end = endOfString(json, at) + 1;
      const level = around.at(-1);
      if (level?.names !== undefined && isName(json, end)) {
        // A string that is JSON.
        level.name = JSON.parse(json.slice(at, end)) as string;
        if (level.names.has(level.name)) return `twice in ${whose}: ${path()}`;
        level.names.add(level.name);
      }
      at = end - 1;
    } else if (character === '-' || isDigit(character)) {
      number.lastIndex = at;
      const [text = character] = number.exec(json) ?? [];
      if (isRounded(text)) return `${path()}: ${shown(text)} would be rounded; write it in quotes`;
      at += text.length - 1;
    }
  }
  return undefined;
}

/** Whether the string that ends before `end` is followed by a colon. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= space) at++;
  return json[at] === ':';
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** Digits that `toPrecision` gives. */
const mostPrecise = 100;

/**
 * Whether the number that a text stands for is written as another one. A fraction may have all the
 * digits that the number has in truth, as some programs write them: 0.1 as 0.10000000000000001.
 */
function isRounded(text: string): boolean {
  const value = Number(text);
  const written = digitsOf(text);
  if (!Number.isFinite(value)) return true;
  if (written === digitsOf(String(value))) return false;
  const digits = written.indexOf('e');
  // Whole numbers that are written with an exponent are taken for fractions, too: %.17g writes them.
  if (/^-?\d+$/.test(text) || digits > mostPrecise) return true;
  return written !== digitsOf(value.toPrecision(digits));
}

/**
 * The same for each way to write a number, but for its sign: its digits without zeros around them,
 * and the place of the last one.
 */
function digitsOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === '0') start++;
  while (end > start && all[end - 1] === '0') end--;
  const digits = all.slice(start, end);
  const place = Number(exponent) - fraction.length + all.length - end;
  return digits === '' ? '0' : `${digits}e${place}`;
}
