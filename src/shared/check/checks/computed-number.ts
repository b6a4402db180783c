import { type AtDoors, defineCheck } from '../check.ts';
import { textsOf } from '../message.ts';

const doors: AtDoors = {
  ...{ now: 'warning', later: 'warning', draft: 'warning', stored: 'warning', test: 'warning' },
};

/** What is left over when a computer multiplies prices: `29.150000000000002`. */
const leftOver = /(?<![\w.])\d{1,12}\.\d{0,9}?(?:0{7,}[1-9]|9{7,}\d?)\d{0,2}(?!\w|\.\d|%)/;

export const computedNumber = defineCheck({
  code: 'computed-number',
  severity: 'warning',
  meaning: 'a number with digits that nobody would write',
  doors,
  title: () =>
    'Nobody would write this number; round it, as in {{ price | times: 1.1 | round: 2 }}:',
  find(message, report) {
    if (message.literal === true) return;
    for (const [where, text] of textsOf(message)) {
      // HTML has numbers of its style, and its text is in the text part.
      if (where !== 'subject' && where !== 'text') continue;
      const at = text.search(leftOver);
      if (at === -1) continue;
      const item = leftOver.exec(text)?.[0] ?? '';
      report({ where, at, item, isLikely: true, message: `Nobody would write ${item}.`, key: '' });
    }
  },
});
