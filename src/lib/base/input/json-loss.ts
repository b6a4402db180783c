import { deepest, endOfString } from '../json/nesting.ts';

/** The space. Below it are control characters; no other white space occurs between JSON tokens. */
const space = 0x20;

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** An object or array around the current position. */
interface Level {
  /** Names in an object so far; undefined in an array. */
  readonly names: Set<string> | undefined;
  /** The last name. */
  name: string;
}

/**
 * What `JSON.parse` silently changes in a JSON text called `whose`: if a name occurs twice in an
 * object, only the last value is kept; a number may be rounded. Also whether it is nested more deeply than
 * other parts of this program can read. Undefined if nothing is lost.
 *
 * Not a library: lossless-json accepts a repeated name with the same value, and does not tell
 * positions. This needs no stack, however deeply the text is nested.
 */
export function lostInParsing(json: string, whose: string): string | undefined {
  const around: Level[] = [];
  const path = () =>
    around.flatMap(({ names, name }) => (names === undefined ? [] : name)).join('.');
  for (let at = 0; at < json.length; at++) {
    if (around.length > deepest) return `${whose} is nested too deeply`;
    const character = json[at] ?? '';
    if (character === '{') around.push({ names: new Set(), name: '' });
    else if (character === '[') around.push({ names: undefined, name: '' });
    else if (character === '}' || character === ']') around.pop();
    else if (character === '"') {
      const end = endOfString(json, at) + 1;
      const level = around.at(-1);
      if (level?.names !== undefined && isName(json, end)) {
        // It is a JSON string.
        level.name = JSON.parse(json.slice(at, end)) as string;
        if (level.names.has(level.name)) return `"${path()}" occurs twice in ${whose}`;
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

/** Whether a colon follows the string that ends before `end`. */
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

/** Most digits that `toPrecision` gives. */
const mostPrecise = 100;

/**
 * Whether a number is rounded. Digits of its exact value do not count: 0.1 as 0.10000000000000001.
 */
function isRounded(text: string): boolean {
  const value = Number(text);
  const written = digitsOf(text);
  if (!Number.isFinite(value)) return true;
  if (written === digitsOf(String(value))) return false;
  const digits = written.indexOf('e');
  // Whole numbers with an exponent are treated as fractions, because %.17g writes them.
  if (/^-?\d+$/.test(text) || digits > mostPrecise) return true;
  return written !== digitsOf(value.toPrecision(digits));
}

/**
 * A number in normal form, without sign: its digits without outer zeros, and the place of the last.
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
