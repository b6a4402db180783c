import { outsideCode } from '../../placeholders.ts';
import { defineCheck, stops } from '../check.ts';
import { allTexts, excerpt } from './characters-lost.ts';

/** What windows-1252 has in place of the second and third bytes of a character in UTF-8. */
const more = '[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';

/**
 * UTF-8 that another program has read as windows-1252: é, ü, ß and the like; quotes, € and ™; signs such as £; emoji;
 * words in other scripts. Portuguese has words that end in a capital Ã.
 */
export const garbled = new RegExp(
  [
    'Ã[\\u0080-\\u009f\\u00a1-\\u00ac\\u00af-\\u00ba\\u00bc-\\u00bf„œŸ‰]|(?<!\\p{Lu})Ã[\\u00a0\\u00ad®»]',
    '(?<=[\\p{Ll}\\d.,:;!?])Â\\u00a0',
    'â€[\\u0080-\\u00bf™œ“”¦˜šž]|â‚¬|â„¢|Â[\\u00a1\\u00a3\\u00a7\\u00a9\\u00ab\\u00ae-\\u00b3\\u00b7\\u00bc-\\u00bf]|ðŸ',
    `(?:[Â-ß]${more}){4,}|(?:[à-ï]${more}{2}){2,}`,
  ].join('|'),
  'gu',
);

/** What each of them has. */
const any = /[\u00c2-\u00f0]/;

export const wrongCharset = defineCheck({
  code: 'wrong-charset',
  severity: 'error',
  meaning: 'characters that another program has read in the wrong charset',
  doors: stops,
  title: () => 'This was read in the wrong charset:',
  advice: 'Another program read UTF-8 as windows-1252: use an undamaged copy.',
  find(message, report) {
    if (message.literal === true) return;
    let isInHtml = false;
    for (const [where, text] of allTexts(message)) {
      if (!any.test(text)) continue;
      const [first] = outsideCode(text, where === 'html' ? 'html' : 'text', garbled);
      if (where === 'html') isInHtml = first !== undefined;
      // A text is usually generated from the HTML, which comes before it.
      if (first === undefined || (where === 'text' && isInHtml)) continue;
      const item = JSON.stringify(excerpt(text, first.at));
      const sentence = `This was read in the wrong charset: ${item}.`;
      report({ where, at: first.at, item, key: '', message: sentence });
    }
  },
});
