import { outsideCode } from '../../placeholders.ts';
import { defineCheck, warnsOfAll } from '../check.ts';
import { textsOf } from '../message.ts';

const names = '(?:amp|lt|gt|quot|apos|nbsp|euro|szlig|[aouAOU]uml|[a-zA-Z]acute|#0?39|#x27);';

/** Where nothing reads them, and where they are written twice. */
export const anyEntity = new RegExp(`&${names}`);
const inText = new RegExp(anyEntity, 'g');
const inHtml = new RegExp(`&amp;${names}`, 'g');

export const htmlEntity = defineCheck({
  code: 'html-entity',
  severity: 'warning',
  meaning: 'an HTML entity such as &amp; that readers see as it is written',
  doors: warnsOfAll,
  title: () => 'Readers see these HTML entities as they are written:',
  advice: 'Write the characters themselves.',
  find(message, report) {
    if (message.literal === true) return;
    // A text part that is made from the HTML has what that has.
    let isInHtml = false;
    for (const [where, text] of textsOf(message)) {
      if (where === 'content' || !text.includes('&')) continue;
      const isHtml = where === 'html';
      const [found] = outsideCode(text, isHtml ? 'html' : 'text', isHtml ? inHtml : inText);
      if (found === undefined || (where === 'text' && isInHtml)) continue;
      isInHtml ||= isHtml;
      const { written: item, at } = found;
      const sentence = `Readers see ${item} as it is written.`;
      report({ where, at, item, key: '', message: sentence, isLikely: true });
    }
  },
});
