import { positionsIn } from '../../../shared/check/positions.ts';
import { type HtmlDocument, readHtml } from '../../../shared/check/read-html.ts';
import { decodedUrl } from '../../base/text/decoded.ts';
import { lineCommentsIn } from './line-marks.ts';
import type { BodySource } from './source.ts';
import { type Mark, markOf } from './source-marks.ts';

/** Where something is written. Lines and columns count from 1; the column is not always known. */
export interface SourcePlace {
  readonly part: Mark['part'];
  readonly line: number;
  readonly column?: number;
}

/**
 * Finds where something in HTML is written in its source. `marked` is what is made of the same source `withMarks`.
 * Of something that is not written there, such as what MJML adds, the place is undefined.
 */
export function placesIn(
  source: BodySource,
  html: string,
  marked: string,
): (at: number) => SourcePlace | undefined {
  const made = readHtml(html);
  const marks = marksIn(source, made, marked);
  const texts = { body: source.body, layout: source.layout ?? '' };
  const placeAt = ({ part, at }: Mark): SourcePlace => {
    const { line, column } = positionsIn(texts[part])(at);
    return { part, line: line + (part === 'body' ? source.linesBefore : 0), column };
  };
  const find = (words: readonly string[], part: Mark['part'], from: number, until?: number) => {
    const text = texts[part].slice(0, until);
    const [found] = words.map((word) => text.indexOf(word, from)).filter((at) => at !== -1);
    return found === undefined ? undefined : placeAt({ part, at: found });
  };
  return (at) => {
    const words = wordsAt(html, at);
    const mark = marks?.(indexAt(made, at));
    if (mark === undefined) {
      // A mere word, such as the name of a property, may be anywhere.
      const telling = words.filter((word) => word.length >= 6 && /[^\w-]/.test(word));
      return find(telling, 'body', 0) ?? find(telling, 'layout', 0);
    }
    const { part, isExact, until } = mark;
    if (isExact && html[at] === '<') return placeAt(mark);
    const found = find(words, part, mark.at, until);
    if (found !== undefined) return found;
    // CSS of a layout is moved to the elements of the body.
    const inLayout = part === 'body' ? find(declarationAt(html, at), 'layout', 0) : undefined;
    if (inLayout !== undefined) return inLayout;
    const { column, ...line } = placeAt(mark);
    return isExact && column !== undefined ? { ...line, column } : line;
  };
}

interface MarkOfElement extends Mark {
  /** Whether it is the place of this very element, not only of its line or of one around it. */
  readonly isExact: boolean;
  /** Where the next mark is. */
  readonly until: number | undefined;
}

/** The marks of elements by index; undefined if the two documents differ. */
function marksIn(source: BodySource, made: HtmlDocument, marked: string) {
  const { elements } = readHtml(marked);
  const isSame =
    elements.length === made.elements.length &&
    elements.every(({ name }, index) => name === made.elements[index]?.name);
  if (!isSame) return undefined;
  const comments = lineCommentsIn(marked);
  const starts = lineStarts(source.body);
  const offsets = {
    body: [
      ...elements.flatMap(({ attributes }) => ownOffset(attributes, 'body')),
      ...comments.map(({ line }) => starts[line] ?? 0),
    ].sort((a, b) => a - b),
    layout: elements
      .flatMap(({ attributes }) => ownOffset(attributes, 'layout'))
      .sort((a, b) => a - b),
  };
  const withEnd = (mark: Mark, isExact: boolean): MarkOfElement => ({
    ...mark,
    isExact,
    until: offsets[mark.part].find((one) => one > mark.at),
  });
  return (index: number): MarkOfElement | undefined => {
    const element = elements[index];
    if (element === undefined) return undefined;
    const own = markOf(element.attributes);
    if (own !== undefined) return withEnd(own, true);
    const comment = comments.findLast(({ at }) => at < element.at);
    for (let one = element.parent; one !== undefined; one = one.parent) {
      const mark = markOf(one.attributes);
      if (mark === undefined) continue;
      if (comment !== undefined && comment.at > one.at) break;
      return withEnd(mark, false);
    }
    if (comment === undefined) return undefined;
    return withEnd({ part: 'body', at: starts[comment.line] ?? 0 }, false);
  };
}

function ownOffset(attributes: Parameters<typeof markOf>[0], part: Mark['part']): number[] {
  const mark = markOf(attributes);
  return mark?.part === part ? [mark.at] : [];
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ 0: end, index }) => index + end.length)];
}

/** The index of the last element that begins at an offset or before it. */
function indexAt({ elements }: HtmlDocument, at: number): number {
  return elements.findLastIndex((element) => element.at <= at);
}

/** What stands at an offset, as it may be written in the source, from the longest to the shortest. */
function wordsAt(html: string, at: number): readonly string[] {
  const chunk = html.slice(at, at + 2000);
  const [whole = '', value = ''] = /^[\w-]+\s*=\s*"([^"]*)"/.exec(chunk) ?? [];
  const [tag = ''] = /^<[a-z][^>]*/i.exec(chunk) ?? [];
  const [, url = ''] = /\s(?:src|href|background)\s*=\s*"([^"]+)"/i.exec(tag) ?? [];
  const [text = ''] = tag === '' && whole === '' ? (/^[^\r\n<]{1,60}/.exec(chunk) ?? []) : [];
  const [css = ''] = /^[^{};<>"\r\n]+/.exec(text) ?? [];
  const words = [
    tag && `${tag}>`,
    whole,
    value,
    url,
    text,
    text.slice(0, 24),
    css,
    /^[\w-]+/.exec(css)?.[0] ?? '',
  ];
  const written = words.flatMap((word) => {
    const plain = decodedEntities(word.trim());
    return [word.trim(), plain, decodedUrl(plain)];
  });
  return [...new Set(written)].filter((word) => word.length > 2);
}

/** The declaration of CSS at an offset, in the usual spellings. */
function declarationAt(html: string, at: number): readonly string[] {
  const [, name, value] =
    /^([\w-]+)\s*:\s*([^;"{}<>\r\n]{1,60})/.exec(html.slice(at, at + 200)) ?? [];
  return value === undefined ? [] : [`${name}: ${value.trim()}`, `${name}:${value.trim()}`];
}

function decodedEntities(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text
    .replace(/&#(\d{1,7});/g, (_, code: string) =>
      String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
    )
    .replace(/&(amp|lt|gt|quot);/g, (written, name: string) => named[name] ?? written);
}
