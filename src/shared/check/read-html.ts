import { Tokenizer } from 'htmlparser2';

/** An attribute, with its character references decoded. */
export interface Attribute {
  readonly value: string;
  /** Its offset in the HTML. */
  readonly at: number;
  /** The offset of its value; undefined if the value has references, since offsets would not match. */
  readonly valueAt: number | undefined;
}

export interface Element {
  /** In lower case. */
  readonly name: string;
  readonly at: number;
  /** By name in lower case. If two have the same name, the first one counts. */
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly parent: Element | undefined;
}

export interface TextRun {
  readonly text: string;
  readonly at: number;
  readonly parent: Element | undefined;
}

/** The HTML of an email, flat and in order, with the offset of each part. */
export interface HtmlDocument {
  readonly elements: readonly Element[];
  readonly texts: readonly TextRun[];
  /** What never ends, in the order in which it is found. */
  readonly unclosed: readonly Unclosed[];
  /** Where an element begins that is in more than `mostLevels` others; undefined if none is. */
  readonly tooDeepAt: number | undefined;
}

/** In how many others an element may be. Chromium and WebKit show those in more than 512 as if they were not in them. */
export const mostLevels = 500;

/** What begins here and never ends, or ends only with a later element around it. */
export type Unclosed =
  | { readonly kind: 'quote'; readonly name: string; readonly at: number }
  | { readonly kind: 'tag'; readonly at: number }
  | { readonly kind: 'comment'; readonly at: number }
  | { readonly kind: 'element'; readonly element: Element; readonly at: number };

/** A value that goes on with tags: its quote is closed only by that of a later attribute. */
const seemsMarkup = /<\/[a-z]|>[^<]*<[a-z]/i;

const empty = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' '),
);

/** Where an element begins that is nested too deeply. */
export function tooDeepIn(html: string): number | undefined {
  return html.split('<', mostLevels + 2).length <= mostLevels
    ? undefined
    : readHtml(html).tooDeepAt;
}

const cells = ['td', 'th'];
const sections = ['thead', 'tbody', 'tfoot'];
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** The elements without an end tag that the start of another one ends, as in HTML. */
const endedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    [['p', ...headings, 'div', 'table', 'ul', 'ol', 'dl', 'pre', 'hr', 'blockquote'], ['p']],
    [['li'], ['li']],
    [
      ['dt', 'dd'],
      ['dt', 'dd'],
    ],
    [['option'], ['option']],
    [cells, ['thead', ...cells]],
    [['tr'], ['tr', ...cells]],
    [sections, [...sections, 'tr', ...cells]],
  ].flatMap(([names = [], ended]) => names.map((name) => [name, new Set(ended)] as const)),
);

/**
 * Reads HTML in one pass, in linear time, since the input is untrusted. Nothing is executed or loaded.
 * Elements close as written, without the repairs of browsers, but for those that need no end tag.
 */
export function readHtml(html: string): HtmlDocument {
  const elements: Element[] = [];
  const texts: TextRun[] = [];
  const unclosed: Unclosed[] = [];
  const open: Element[] = [];
  /** How many open elements have each name, so that an end tag without a start is ignored at once. */
  const openNames = new Map<string, number>();
  let name = '';
  let start = 0;
  let attributes = new Map<string, Attribute>();
  let attribute = '';
  let attributeAt = 0;
  let pieces: string[] = [];
  let valueAt: number | undefined;
  let hasReference = false;
  let isInTag = false;
  let isInAttribute = false;
  let tooDeepAt: number | undefined;

  const addText = (text: string, at: number) => {
    texts.push({ text, at, parent: open.at(-1) });
  };
  const leave = () => {
    const last = open.pop();
    if (last !== undefined) openNames.set(last.name, (openNames.get(last.name) ?? 1) - 1);
    return last;
  };
  const close = (closed: string) => {
    if ((openNames.get(closed) ?? 0) === 0) return;
    for (let last = leave(); last !== undefined; last = leave()) {
      if (last.name === closed) return;
      unclosed.push({ kind: 'element', element: last, at: last.at });
    }
  };
  /** A tag that begins within another one, as after `price<max`: what is between is not shown. A template may have `<` there. */
  const refuseTagWithin = (from: number, to: number) => {
    if (unclosed.at(-1)?.at === start || !html.slice(from, to).includes('<')) return;
    if (!/\{[{%]/.test(html.slice(start, from))) unclosed.push({ kind: 'tag', at: start });
  };
  const endStartTag = () => {
    isInTag = false;
    const ended = endedBy.get(name);
    while (ended?.has(open.at(-1)?.name ?? '') === true) leave();
    const element = { name, at: start, attributes, parent: open.at(-1) };
    elements.push(element);
    if (open.length > mostLevels) tooDeepAt ??= start;
    if (empty.has(name)) return;
    open.push(element);
    openNames.set(name, (openNames.get(name) ?? 0) + 1);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(from, to) {
        name = html.slice(from, to).toLowerCase();
        start = from - 1;
        isInTag = true;
        attributes = new Map();
        refuseTagWithin(from, to);
      },
      onattribname(from, to) {
        attribute = html.slice(from, to).toLowerCase();
        attributeAt = from;
        refuseTagWithin(from, to);
        isInAttribute = true;
        pieces = [];
        valueAt = undefined;
        hasReference = false;
      },
      onattribdata(from, to) {
        valueAt ??= from;
        pieces.push(html.slice(from, to));
      },
      onattribentity(codePoint) {
        hasReference = true;
        pieces.push(String.fromCodePoint(codePoint));
      },
      onattribend() {
        isInAttribute = false;
        if (attribute !== 'srcdoc' && seemsMarkup.test(pieces.join(''))) {
          unclosed.push({ kind: 'quote', name: attribute, at: attributeAt });
        }
        if (attributes.has(attribute)) return;
        attributes.set(attribute, {
          value: pieces.join(''),
          at: attributeAt,
          valueAt: hasReference ? undefined : (valueAt ?? attributeAt),
        });
      },
      onopentagend: endStartTag,
      // `<br/>`, and also `<div/>`, which browsers read as `<div>`.
      onselfclosingtag: endStartTag,
      onclosetag: (from, to) => close(html.slice(from, to).toLowerCase()),
      ontext: (from, to) => addText(html.slice(from, to), from),
      ontextentity: (codePoint, to) => addText(String.fromCodePoint(codePoint), to - 1),
      oncdata() {},
      oncomment(from, to) {
        if (to >= html.length) unclosed.push({ kind: 'comment', at: from - '<!--'.length });
      },
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  if (isInTag) {
    const at = isInAttribute ? attributeAt : start;
    unclosed.push(isInAttribute ? { kind: 'quote', name: attribute, at } : { kind: 'tag', at });
  }
  // One by one: as arguments of a call, many would not fit on the stack.
  for (const element of open) unclosed.push({ kind: 'element', element, at: element.at });
  return { elements, texts, unclosed, tooDeepAt };
}
