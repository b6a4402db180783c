import type { DomNode, FormatCallback } from 'html-to-text';

/** An `<ol>` with the numbers that mail programs show: those of `start`, `reversed` and the `value` of an item. */
export const numberedList: FormatCallback = (list, walk, builder) => {
  const rows = list.children.filter(
    ({ type, data = '' }) => type === 'tag' || (type === 'text' && data.trim() !== ''),
  );
  const numbers = numbersOf(list, rows.filter(isItem));
  const isNested = list.parent?.name === 'li';
  const prefixes = rows.map((row) => {
    const number = numbers.get(row);
    return number === undefined ? '' : `${isNested ? '' : ' '}${number}. `;
  });
  const lines = isNested ? 1 : 2;
  builder.openList({
    interRowLineBreaks: 1,
    leadingLineBreaks: lines,
    maxPrefixLength: prefixes.reduce((most, { length }) => Math.max(most, length), 0),
    prefixAlign: 'left',
  });
  rows.forEach((row, index) => {
    builder.openListItem({ prefix: prefixes[index] ?? '' });
    walk([row], builder);
    builder.closeListItem();
  });
  builder.closeList({ trailingLineBreaks: lines });
};

function isItem({ name }: DomNode): boolean {
  return name === 'li';
}

function numbersOf({ attribs = {} }: DomNode, items: readonly DomNode[]): Map<DomNode, string> {
  const isReversed = attribs.reversed != null;
  let next = integer(attribs.start) ?? (isReversed ? items.length : 1);
  return new Map(
    items.map((item) => {
      const number = integer(item.attribs?.value) ?? next;
      next = number + (isReversed ? -1 : 1);
      return [item, asWritten(number, attribs.type)];
    }),
  );
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*[+-]?\d{1,9}/.test(text)
    ? Number.parseInt(text, 10)
    : undefined;
}

/** A number by the `type` of its list. Letters and Roman numerals have no zero, and end somewhere. */
function asWritten(number: number, type: string | undefined): string {
  const has = (most: number) => number >= 1 && number <= most;
  if (type === 'a' && has(1_000_000)) return letters(number);
  if (type === 'A' && has(1_000_000)) return letters(number).toUpperCase();
  if (type === 'i' && has(3999)) return roman(number).toLowerCase();
  return type === 'I' && has(3999) ? roman(number) : String(number);
}

function letters(number: number): string {
  const before = Math.floor((number - 1) / 26);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return before === 0 ? last : letters(before) + last;
}

/** The numerals of a digit, by the value of its place. */
const numerals: Readonly<Record<number, string>> = {
  1: ',I,II,III,IV,V,VI,VII,VIII,IX',
  10: ',X,XX,XXX,XL,L,LX,LXX,LXXX,XC',
  100: ',C,CC,CCC,CD,D,DC,DCC,DCCC,CM',
  1000: ',M,MM,MMM',
};

function roman(number: number): string {
  return [1000, 100, 10, 1]
    .map((place) => numerals[place]?.split(',')[Math.floor(number / place) % 10])
    .join('');
}
