import { defineCheck, stops } from '../check.ts';
import { type Document, htmlDocumentOf } from '../document.ts';
import { quoted } from '../quoted.ts';
import { cssText } from '../read-css.ts';

/** Elements whose content is no HTML, or is not shown. */
const hiding = new Set(['style', 'script', 'title', 'textarea', 'template', 'noembed', 'noframes']);

export const htmlUnclosed = defineCheck({
  code: 'html-unclosed',
  severity: 'error',
  meaning: 'a quote, tag or comment that hides what follows',
  doors: stops,
  title: () => 'Programs do not show what follows, because this is never closed:',
  find(given, report) {
    const document = htmlDocumentOf(given);
    for (const one of document.unclosed) {
      const what = unclosed(one, document, given.html);
      if (what === undefined) continue;
      const message = `${what} is never closed, so programs do not show what follows.`;
      const item = what[0]?.toLowerCase() + what.slice(1);
      report({ where: 'html', at: one.at, item, message });
    }
  },
});

/** What hides the rest of an email; undefined if it does not. */
function unclosed(
  one: Document['unclosed'][number],
  document: Document,
  html = '',
): string | undefined {
  if (one.kind === 'quote') return `The quote of ${quoted(one.name)}`;
  if (one.kind === 'tag')
    return `The tag ${/^<[^\s<>]{0,40}/.exec(html.slice(one.at, one.at + 41))}`;
  if (one.kind === 'comment') return 'The comment';
  if (hiding.has(one.element.name)) return `The element <${one.element.name}>`;
  return isHiddenBlock(one.element, document)
    ? `The hidden element <${one.element.name}>`
    : undefined;
}

/** Whether an element is hidden and needs an end tag, such as the one around a preview text. */
function isHiddenBlock(element: Document['elements'][number], document: Document): boolean {
  const needsEnd = /^(?:div|span|center|table|section|font)$/.test(element.name);
  return (
    needsEnd &&
    document
      .inlineStyle(element)
      .some(({ property, value }) => property === 'display' && /^none\b/.test(cssText(value)))
  );
}
