import { TokenType } from '@csstools/css-tokenizer';
import type { Document } from './document.ts';
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
