import { outsideCode } from '../../placeholders.ts';
import { type AtDoors, defineCheck } from '../check.ts';

const doors: AtDoors = {
  ...{ now: 'warning', later: 'warning', draft: 'warning', stored: 'warning', test: 'warning' },
};

/** Marks by what they are in other programs. Each is bounded, so that many beginnings take no longer. */
const marks: Readonly<Record<string, RegExp>> = {
  'a footnote': /\[\^[^\]\s]{1,60}\]/,
  'an alert of GitHub': /^[ \t]*(?:>[ \t]*){1,9}\[![A-Za-z]{2,20}\][+-]?/m,
  'a remark of Obsidian': /(?<!\d)%%[ \t\n][^%]{1,1000}?%%/,
  'a highlight': /(?<![=\w])==(?![=\s])[^=\n]{1,200}(?<!\s)==(?![=\w])/,
  'a container': /^:{3,}[ \t]{0,9}\{?[\w-]{1,40}/m,
  'an embedded note': /!\[\[[^\]\n]{1,200}\]\]/,
  'an emoji': /(?<![\w:/]):[a-z][a-z\d_+-]{1,40}:(?![\w:/])/,
};

const anyMark = new RegExp(
  Object.values(marks)
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

/** What the Markdown of other programs has, and that of emails has not: readers see its signs. */
export const foreignMarkdown = defineCheck({
  code: 'foreign-markdown',
  severity: 'warning',
  meaning: 'signs of another Markdown, which are sent as they are',
  doors,
  title: () => 'These signs of another Markdown are sent as they are:',
  find({ writtenBody = '', literal = false }, report) {
    if (literal) return;
    for (const { written, at } of outsideCode(writtenBody, 'text', anyMark)) {
      const item = written.trim().replace(/\s+/g, ' ');
      const [what = 'a sign'] =
        Object.entries(marks).find(([, mark]) => written.search(mark) === 0) ?? [];
      report({
        ...{ where: 'html', item, atWritten: at + written.search(/\S/), isLikely: true },
        message: `${item} is ${what} in other programs. Here it is sent as it is.`,
      });
    }
  },
});
