import { endOfString } from '../json/nesting.ts';

/** Control characters and the space; between the parts of JSON there is no other white space. */
const space = 0x20;

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** An object or array around the place that is looked at. */
interface Level {
  /** Those of an object so far. */
  readonly names: Set<string> | undefined;
  /** The last one. */
  name: string;
}

/**
 * What `JSON.parse` silently changes in this text, which is JSON and called `whose`: of a name that is
 * twice in an object only the last value is left, or a number is rounded. Undefined if nothing is lost.
 *
 * No library: lossless-json accepts a repeated name with the same value, and does not say where either
 * is. It takes no stack, however deep the text is nested.
 */
export function lostInParsing(json: string, whose: string): string | undefined {
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

/** Whether a number is rounded. Digits of its exact value are not: 0.1 as 0.10000000000000001. */
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

/** A number without its sign, however written: its digits without outer zeros, and the last one's place. */
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
