import { cssText, type HtmlRule } from '../document.ts';
import { quoted } from '../quoted.ts';

/** Elements whose content is no HTML, or is not shown. */
const hiding = new Set(['style', 'script', 'title', 'textarea', 'template', 'noembed', 'noframes']);

/** Reports what never ends, so that programs do not show the rest of the email. */
export const checkUnclosed: HtmlRule = (document, _email, report) => {
  for (const one of document.unclosed) {
    const found = (what: string) =>
      report({
        code: 'html-unclosed',
        at: one.at,
        message: `${what} is never closed, so programs do not show what follows.`,
      });
    if (one.kind === 'quote') found(`The quote of ${quoted(one.name)}`);
    else if (one.kind === 'tag') found('The tag');
    else if (one.kind === 'comment') found('The comment');
    else if (hiding.has(one.element.name)) found(`The element <${one.element.name}>`);
    else if (isHiddenBlock(one.element)) found(`The hidden element <${one.element.name}>`);
  }

  /** Whether an element is hidden and needs an end tag, such as the one around a preview text. */
  function isHiddenBlock(element: (typeof document.elements)[number]): boolean {
    if (!/^(?:div|span|center|table|section|font)$/.test(element.name)) return false;
    return document
      .inlineStyle(element)
      .some(({ property, value }) => property === 'display' && /^none\b/.test(cssText(value)));
  }
};
