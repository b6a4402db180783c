import { canUnsubscribe } from '../../placeholders.ts';
import { defineCheck } from '../check.ts';
import { type Document, displaysNothing, htmlDocumentOf } from '../document.ts';
import type { Element } from '../read-html.ts';
import { isBlank } from '../shows-nothing.ts';

/** A link to unsubscribe of one's own, by its words. */
const ownLink = /href\s{0,9}=\s{0,9}["']?[^"'>\s]{0,500}(?:unsub|opt-?out)/i;

/** A campaign needs a way to unsubscribe; services reject one without their own. */
export const unsubscribeLink = defineCheck({
  code: 'unsubscribe-link',
  severity: 'error',
  meaning: 'a campaign without an unsubscribe link',
  doors: { now: 'error', later: 'error', draft: 'error', test: 'warning' },
  title: () => 'A campaign needs an unsubscribe link:',
  advice: 'Add a link: <a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>.',
  find(given, report) {
    const { html, kind } = given;
    if (kind !== 'campaign' || !html) return;
    if (canUnsubscribe(html)) {
      if (isSeen(htmlDocumentOf(given))) return;
      return report({
        where: 'html',
        message:
          'Readers do not see the unsubscribe link: it is hidden, has no text, or is no link.',
        item: 'readers do not see {{usesend_unsubscribe_url}}',
      });
    }
    const isOwn = ownLink.test(html);
    report({
      where: 'html',
      message: isOwn
        ? 'The campaign has an unsubscribe link of its own; services insist on {{usesend_unsubscribe_url}}.'
        : 'The campaign has no unsubscribe link: use {{usesend_unsubscribe_url}}.',
      item: 'the HTML has no {{usesend_unsubscribe_url}}',
    });
  },
});

/** Whether the placeholder is the URL of a link that shows something, or stands in a text. */
function isSeen(document: Document): boolean {
  const { elements, texts } = document;
  const isShown = (element: Element | undefined): boolean =>
    element === undefined || (!isHidden(element, document) && isShown(element.parent));
  const isIn = (element: Element | undefined, link: Element): boolean =>
    element !== undefined && (element === link || isIn(element.parent, link));
  const links = elements.filter(
    (one) =>
      /^(?:a|area|v:\w+)$/.test(one.name) &&
      canUnsubscribe(one.attributes.get('href')?.value ?? ''),
  );
  return (
    texts.some(({ text, parent }) => canUnsubscribe(text) && isShown(parent)) ||
    links.some(
      (link) =>
        isShown(link) &&
        (link.name !== 'a' ||
          texts.some(({ text, parent }) => !isBlank(text) && isIn(parent, link)) ||
          elements.some((one) => /^(?:img|svg|v:\w+)$/.test(one.name) && isIn(one, link))),
    )
  );
}

function isHidden(element: Element, document: Document): boolean {
  const isUnseen = /^(?:style|script|title|template|head)$/.test(element.name);
  return isUnseen || displaysNothing(element, document);
}
