import { defineCheck, warns } from '../check.ts';
import { textsOf } from '../message.ts';

/** What is left over when a computer multiplies or divides prices: `29.150000000000002`, `3.3333333333333335`, `1e+21`. */
const leftOver =
  /(?<![\w.])\d{1,12}\.\d{0,9}?(?:0{7,}[1-9]|9{7,}\d?)\d{0,2}(?!\w|\.\d|%)|(?<![\w.=@/,+-])(?:\d{1,12}\.\d{0,4}([1-8])\1{10,}\d?|\d(?:\.\d{1,17})?e\+\d{2})(?!\w|\.\d|%)/;

export const computedNumber = defineCheck({
  code: 'computed-number',
  severity: 'warning',
  meaning: 'a number with digits that nobody would write',
  doors: warns,
  title: () =>
    'Nobody would write this number; round it, as in {{ price | times: 1.1 | round: 2 }}:',
  find(message, report) {
    if (message.literal === true) return;
    for (const [where, text] of textsOf(message)) {
      if (where === 'content' || (where === 'html' && message.text)) continue;
      const found = where === 'html' ? inHtml(text) : leftOver.exec(text);
      if (!found) continue;
      const [item] = found;
      const at = found.index;
      report({ where, at, item, isLikely: true, message: `Nobody would write ${item}.`, key: '' });
    }
  },
});

/** Style, tags, and what is between them. */
const pieces = /<style\b[\s\S]*?(?:<\/style|$)|<[^>]*|[^<]+/gi;

/** In what readers see of HTML, which has such numbers in its style, too. */
function inHtml(html: string) {
  if (!leftOver.test(html)) return undefined;
  for (const { 0: piece, index } of html.matchAll(pieces)) {
    const found = piece.startsWith('<') ? null : leftOver.exec(piece);
    if (found) return Object.assign(found, { index: index + found.index });
  }
  return undefined;
}
