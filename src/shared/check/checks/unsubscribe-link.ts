import { canUnsubscribe } from '../../placeholders.ts';
import { type AtDoors, defineCheck } from '../check.ts';

const doors: AtDoors = { now: 'error', later: 'error', draft: 'error', test: 'warning' };

/** A link to unsubscribe of one's own, by its words. */
const ownLink = /href\s{0,9}=\s{0,9}["']?[^"'>\s]{0,500}(?:unsub|opt-?out)/i;

/** A campaign needs a way to unsubscribe; services reject one without their own. */
export const unsubscribeLink = defineCheck({
  code: 'unsubscribe-link',
  severity: 'error',
  meaning: 'a campaign without an unsubscribe link',
  doors,
  title: () => 'A campaign needs an unsubscribe link:',
  advice: 'Add a link: <a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>.',
  find({ html, kind }, report) {
    if (kind !== 'campaign' || !html || canUnsubscribe(html)) return;
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
