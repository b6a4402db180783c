import { readDocument } from './document.ts';
import type { MessageContent } from './message.ts';
import { isPrivateHost } from './private-host.ts';
import type { Element } from './read-html.ts';

/** A link as it is written, with its offset. */
export interface Link {
  readonly href: string;
  readonly at: number;
}

/** Elements of HTML and of MJML with links. Those of a navbar may have a base of their own. */
const linking = /^(?:a|area|mj-(?!navbar).*)$/;

/** The element's link; undefined if it has none. */
export function linkOf({ name, attributes }: Element): Link | undefined {
  const href = linking.test(name) ? attributes.get('href') : undefined;
  return href === undefined ? undefined : { href: href.value.trim(), at: href.at };
}

/** Whether a link contains a placeholder, so that its target is not known yet. */
export function hasPlaceholder(href: string): boolean {
  return /\{[{%]|<%|%%\w/.test(href);
}

/** A link whose server can be asked about it. */
export interface WebLink {
  readonly url: string;
  readonly where: 'html' | 'text';
  readonly at: number;
}

/** The web pages in a text, as they are written. */
export function linksInText(text: string): readonly Link[] {
  return [...text.matchAll(inText)].map(({ 0: href, index }) => ({
    href: withoutSentenceEnd(href),
    at: index,
  }));
}

const inText = /https?:\/\/[^\s<>"]+/gi;

/** The web pages that an email links to, in order. Those of its text count only if there is no HTML. */
export function webLinksOf({ html, text = '' }: MessageContent): readonly WebLink[] {
  const where = html ? 'html' : 'text';
  const written = html
    ? readDocument(html).elements.flatMap((element) => linkOf(element) ?? [])
    : linksInText(text);
  return written.flatMap(({ href, at }) => {
    const url = /^https?:\/\//i.test(href) && !hasPlaceholder(href) ? URL.parse(href) : null;
    if (url === null || isPrivateHost(url.hostname)) return [];
    url.hash = '';
    return [{ url: url.href, where, at }];
  });
}

/** The link without the punctuation that ends the sentence around it. */
export function withoutSentenceEnd(href: string): string {
  const bare = href.replace(/[).,;:!?'\]]+$/, '');
  // A parenthesis that the link opens, it closes.
  const isOpen = bare.split('(').length > bare.split(')').length;
  return isOpen && href.charAt(bare.length) === ')' ? `${bare})` : bare;
}
