import { canUnsubscribe } from '../../placeholders.ts';
import { defineCheck } from '../check.ts';
import { showsNothing } from '../shows-nothing.ts';

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
  find({ html, kind }, report) {
    if (kind !== 'campaign' || !html) return;
    if (canUnsubscribe(html)) {
      if (isSeen(html)) return;
      return report({
        where: 'html',
        message:
          'Readers do not see the unsubscribe link: it is hidden, has no text, or is not a link.',
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

/** What is not shown. */
const unseen =
  /<!--(?!\[if)[\s\S]*?(?:-->|$)|<(style|script|title|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;

/** A link, up to its end tag. */
const links = /<(?:a|area|v:\w+)\b([^<>]*)>([\s\S]*?)(?=<\/a\s*>|$)/gi;

/** Whether the placeholder stands in a text, or is the URL of a link that shows something. */
function isSeen(html: string): boolean {
  const shown = html.replace(unseen, '');
  return (
    canUnsubscribe(shown.replace(/<[^<>]*>/g, '')) ||
    [...shown.matchAll(links)].some(
      ([, attributes = '', content = '']) =>
        /\bhref\s{0,9}=/i.test(attributes) &&
        canUnsubscribe(attributes) &&
        !/display\s{0,9}:\s{0,9}none/i.test(attributes) &&
        !showsNothing(content),
    )
  );
}
