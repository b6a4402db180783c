import type { CSSToken } from '@csstools/css-tokenizer';
import type { MessageContent } from './message.ts';
import { readCss } from './read-css.ts';
import { type Element, type HtmlDocument, readHtml } from './read-html.ts';

/** One `property: value` of a `style` attribute. */
export interface Declaration {
  readonly property: string;
  readonly value: readonly CSSToken[];
  readonly at: number;
}

/** The HTML of an email, read once for all rules. */
export interface Document extends HtmlDocument {
  readonly html: string;
  /** The content of each `<style>`, with its offset. */
  readonly styleSheets: readonly { readonly css: string; readonly at: number }[];
  /** The declarations in the `style` attribute of an element. */
  inlineStyle(element: Element): readonly Declaration[];
}

/** How many characters of HTML are checked. Servers reject longer emails. */
const longestHtml = 8 * 1024 * 1024;

const documents = new WeakMap<MessageContent, Document>();

/** The HTML of a message, read once for all checks. */
export function htmlDocumentOf(message: MessageContent): Document {
  const known = documents.get(message);
  if (known !== undefined) return known;
  const document = readDocument((message.html ?? '').slice(0, longestHtml));
  documents.set(message, document);
  return document;
}

export function readDocument(html: string): Document {
  const { elements, texts, unclosed, tooDeepAt } = readHtml(html);
  const inline = new Map<Element, readonly Declaration[]>();
  return {
    html,
    elements,
    texts,
    unclosed,
    tooDeepAt,
    styleSheets: texts
      .filter(({ parent }) => parent?.name === 'style')
      .map(({ text, at }) => ({ css: text, at })),
    inlineStyle(element) {
      const style = element.attributes.get('style');
      if (style === undefined) return [];
      const known = inline.get(element);
      if (known !== undefined) return known;
      const found: Declaration[] = [];
      const { valueAt } = style;
      // If the value has character references, its offsets do not match those in the HTML.
      const place = (at: number) => (valueAt === undefined ? style.at : at);
      readCss(
        style.value,
        valueAt ?? 0,
        {
          declaration: (property, value, at) => found.push({ property, value, at: place(at) }),
        },
        true,
      );
      inline.set(element, found);
      return found;
    },
  };
}
