import { TokenType } from '@csstools/css-tokenizer';
import type { Document } from './document.ts';
import { isPrivateHost } from './private-host.ts';
import { quoted } from './quoted.ts';
import { readCss } from './read-css.ts';

/** The URL of an image as it is written, with its offset in the HTML. */
export interface ImagePlace {
  readonly url: string;
  readonly at: number;
}

/** Attributes with the URL of an image; `background-url` is one of MJML. */
const attributeNames = ['src', 'background', 'poster', 'background-url'] as const;

/** Elements whose `src` is no image. */
const others = new Set(['script', 'iframe', 'frame', 'embed', 'audio', 'video', 'track']);

/** What relative URLs begin with, by the first `<base href>`; undefined if there is none. */
export function baseIn({ elements }: Pick<Document, 'elements'>): string | undefined {
  const bases = elements.filter(({ name }) => name === 'base');
  return bases.flatMap(({ attributes }) => attributes.get('href')?.value.trim() || [])[0];
}

/** The images that the HTML or MJML of an email loads: of elements, and of CSS. */
export function imagesIn({ elements, styleSheets, inlineStyle }: Document): readonly ImagePlace[] {
  const found: ImagePlace[] = [];
  const add = (url: string, at: number) => {
    if (url.trim() !== '') found.push({ url: url.trim(), at });
  };
  const visitor = {
    declaration(property: string, value: Parameters<typeof urlsIn>[0], at: number) {
      // Of a font.
      if (property !== 'src') for (const url of urlsIn(value)) add(url, at);
    },
  };
  for (const { css, at } of styleSheets) readCss(css, at, visitor);
  for (const element of elements) {
    const { name, attributes } = element;
    for (const attribute of attributeNames) {
      const given = attributes.get(attribute);
      if (given === undefined || (attribute === 'src' && others.has(name))) continue;
      add(given.value, given.at);
    }
    const set = attributes.get('srcset');
    for (const url of set === undefined ? [] : urlsInSet(set.value)) add(url, set?.at ?? 0);
    for (const { property, value, at } of inlineStyle(element)) {
      visitor.declaration(property, value, at);
    }
  }
  return found;
}

/** The URLs of `srcset`: each may have a width or density after it, and may itself have commas. */
function urlsInSet(value: string): string[] {
  return [...value.matchAll(/(?:^|[\s,])([^\s,]\S*)(?:\s+[\d.]+[wx])?\s*(?=,|$)/g)].map(
    ([, url = '']) => url.replace(/,$/, ''),
  );
}

function urlsIn(value: Parameters<NonNullable<Parameters<typeof readCss>[2]['declaration']>>[1]) {
  return value.flatMap((token, index) => {
    if (token[0] === TokenType.URL) return [token[4].value];
    if (token[0] !== TokenType.Function || token[4].value.toLowerCase() !== 'url') return [];
    const text = value.slice(index + 1).find(({ 0: type }) => type === TokenType.String);
    return text?.[0] === TokenType.String ? [text[4].value] : [];
  });
}

/**
 * Why nobody but the sender can load an image, as the end of a sentence; undefined if others may. What a
 * placeholder begins is not known, and what `cid:` and `data:` refer to is in the email. A relative URL is loaded
 * from `base`.
 */
export function whyLocal(url: string, base?: string): string | undefined {
  if (/^(?:\{[{%$]|<%|%%|\*\||\$\{|\[\[|#|cid:|mid:|data:)/i.test(url)) return undefined;
  if (base !== undefined && !/^[a-z][\w+.-]*:/i.test(url)) {
    const why = whyLocal(base);
    return why === undefined ? undefined : `${quoted(url)} is relative, and its base ${why}`;
  }
  if (url.startsWith('//')) return `${quoted(url)} has no scheme: write https: before it`;
  if (/^https?:\/\//i.test(url)) {
    const { hostname } = URL.parse(url) ?? {};
    if (hostname === undefined || !isPrivateHost(hostname)) return undefined;
    return `${quoted(url)} is in your own network`;
  }
  if (/^(?:file:|[a-z]:[\\/])/i.test(url)) return `${quoted(url)} is a file on your own computer`;
  return `${quoted(url)} is no complete URL`;
}
