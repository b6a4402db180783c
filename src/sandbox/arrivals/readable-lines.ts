import { type Element, readHtml } from '../../shared/check/read-html.ts';

/** Elements within a line. All others begin a new one. */
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Elements whose content is not shown. */
const unseen = new Set(['head', 'style', 'script', 'title', 'template', 'noscript', 'svg']);

interface Place {
  /** The nearest element that has lines of its own. */
  readonly block: Element | undefined;
  /** The nearest link. */
  readonly link: Element | undefined;
  readonly isSeen: boolean;
}

/** A text in a link. */
export interface LinkText {
  readonly element: Element;
  readonly text: string;
}

/** What a reader of the HTML sees: its lines, without blank ones, its links in order, with their texts, and the text beside these. */
export function readableLines(html: string): {
  readonly lines: readonly string[];
  readonly links: readonly LinkText[];
  readonly unlinked: string;
} {
  const { elements, texts } = readHtml(html);
  const places = new Map<Element | undefined, Place>();
  places.set(undefined, { block: undefined, link: undefined, isSeen: true });
  for (const element of elements) {
    const around = places.get(element.parent);
    places.set(element, {
      block: inline.has(element.name) ? around?.block : element,
      link: element.name === 'a' || element.name === 'area' ? element : around?.link,
      isSeen: around?.isSeen !== false && !unseen.has(element.name),
    });
  }
  const breaks = elements.filter(({ name }) => name === 'br' || name === 'hr' || name === 'img');
  const lines: string[] = [];
  const linked = new Map<Element, string>();
  let line = '';
  let unlinked = '';
  let block: Element | undefined;
  let next = 0;
  for (const { text, at, parent } of texts) {
    const place = places.get(parent);
    let isBroken = false;
    for (; (breaks[next]?.at ?? Number.POSITIVE_INFINITY) < at; next += 1) isBroken = true;
    if (place?.isSeen !== true) continue;
    if (isBroken || place.block !== block) {
      lines.push(line);
      line = '';
      unlinked += '\n';
    }
    block = place.block;
    line += text;
    if (place.link === undefined) {
      unlinked += text;
    } else {
      unlinked += '\n';
      linked.set(place.link, `${linked.get(place.link) ?? ''}${text}`);
    }
  }
  lines.push(line);
  for (const element of elements) {
    const link = places.get(element)?.link;
    const alt = element.name === 'img' ? element.attributes.get('alt')?.value : undefined;
    if (link !== undefined && alt) linked.set(link, `${linked.get(link) ?? ''} ${alt}`);
  }
  return {
    lines: lines.map(clean).filter((one) => one !== ''),
    links: elements
      .filter(({ name }) => name === 'a' || name === 'area')
      .map((element) => ({ element, text: clean(linked.get(element) ?? '') })),
    unlinked,
  };
}

/** Invisible characters, with which newsletters fill up their preview texts. */
const invisible = /\u034f|[\u00ad\u200b-\u200f\u2060\ufeff]/g;

function clean(text: string): string {
  return text.replace(invisible, '').replace(/\s+/g, ' ').trim();
}
