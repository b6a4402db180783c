/** The text and HTML of an email. */
export interface Content {
  readonly text: string | null;
  readonly html: string | null;
}

const snippetLength = 160;

/** The snippet is taken from this many characters. */
const snippetSource = 20_000;

/** The beginning of an email's text on one line, as lists of messages show it. */
export function snippetOf({ text, html }: Content): string {
  const source = { text: text?.slice(0, snippetSource) ?? null, html };
  const line = readableText({ ...source, html: html?.slice(0, 4 * snippetSource) ?? null });
  return [
    ...line
      .slice(0, 4 * snippetLength)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, snippetLength)
    .join('');
}

/** The text, or else that of the HTML, of which only about `most` characters are read. */
export function readableText(
  { text, html }: Content,
  most: number = Number.POSITIVE_INFINITY,
): string {
  return text !== null && text.trim() !== '' ? text.trim() : textOfHtml(html ?? '', most);
}

/** Elements whose content is not shown. */
const unseen = new Set(['head', 'style', 'script', 'title', 'template', 'noscript']);

/** Characters of HTML read for each character that remains without entities and white space. */
const rawPerCharacter = 8;

/**
 * The text in HTML, in one pass. It is for search and snippets, and must not be shown as HTML:
 * markup is recognised only roughly.
 */
function textOfHtml(html: string, most: number): string {
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const parts: string[] = [];
  let at = 0;
  let gathered = 0;
  while (at < html.length && gathered < rawPerCharacter * most) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    gathered += open - at + 1;
    const mark = lower.slice(open + 1, open + 10);
    if (!/^[a-z/!?]/.test(mark)) {
      parts.push('<');
      at = open + 1;
      continue;
    }
    const name = /^[a-z]+/.exec(mark)?.[0] ?? '';
    const end = mark.startsWith('!--') ? '-->' : unseen.has(name) ? `</${name}` : '>';
    const close = lower.indexOf(end, open + 1);
    if (close === -1) break;
    // A closing tag is read next.
    at = end.startsWith('</') ? close : close + end.length;
    parts.push(' ');
  }
  return decodeEntities(parts.join('')).replace(/\s+/g, ' ').trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  // Padding of preview texts.
  zwnj: '',
  zwj: '',
  shy: '',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[];
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    // Padding, too: the combining grapheme joiner and ZWNJ.
    if (point === 0x34f || point === 0x200c) return '';
    return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)
      ? whole
      : String.fromCodePoint(point);
  });
}
