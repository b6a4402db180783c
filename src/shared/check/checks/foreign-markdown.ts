import { outsideCode } from '../../placeholders.ts';
import { defineCheck, warns } from '../check.ts';

/** Marks by what they are in other programs. Each is bounded, so that many beginnings take no longer. */
const marks: Readonly<Record<string, RegExp>> = {
  'a footnote': /\[\^[^\]\s]{1,60}\]/,
  'an alert of GitHub': /^[ \t]*(?:>[ \t]*){1,9}\[![A-Za-z]{2,20}\][+-]?/m,
  'a remark of Obsidian': /(?<!\d)%%[ \t\n][^%]{1,1000}?%%/,
  'a highlight': /(?<![=\w])==(?![=\s])[^=\n]{1,200}(?<!\s)==(?![=\w])/,
  'a container': /^:{3,}[ \t]{0,9}\{?[\w-]{1,40}/m,
  'an embedded note': /!\[\[[^\]\n]{1,200}\]\]/,
  'an emoji': /(?<![\w:/]):[a-z][a-z\d_+-]{1,40}:(?![\w:/])/,
  'a list': /^[ \t]{0,3}(?:[•◦▪‣·●][ \t\u00a0]|[-*+]\u00a0)/m,
  'a link with a space in its URL':
    /\[[^\]\n]{1,200}\]\((?:https?:|mailto:)[^()\s]{0,500} [^()\n"']{1,200}\)/,
  'a link with a space before its URL':
    /\[[^\]\n]{1,200}\][ \t\n]\((?:https?:|mailto:)[^()\s]{1,500}\)/,
  'an image with a size': /!\[[^\]\n]{0,200}\]\([^()\n]{1,500} =\d{0,4}x\d{0,4}\)/,
  'an attribute': /\)\{(?:[.#][\w-]{1,60}|[\w-]{1,60}=[^{}\n]{1,100})\}/,
  'bold text': /(?<![*\p{L}\p{N}])\*\*(?=\S)[^*\n]{0,200}[^\s*\p{L}\p{N}]\*\*(?=[\p{L}\p{N}])/u,
  'HTML despite its indentation':
    /(?<=\n[ \t]*\n)(?: {4}|\t)[ \t]{0,40}<\/?(?:t[dhr]|table|tbody|div|p|span|a|img)(?=[\s/>])/,
};

/** The line below the header of a table. */
const belowHeader = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** The rows of tables that have more cells than the header: programs leave out the rest. */
function* longRows(text: string): Generator<{ readonly written: string; readonly at: number }> {
  let at = 0;
  let columns = 0;
  let above = '';
  for (const written of text.split('\n')) {
    const cells = cellsIn(written);
    if (
      columns === 0 &&
      cells > 1 &&
      belowHeader.test(written.trim()) &&
      cellsIn(above) === cells
    ) {
      columns = cells;
    } else if (written.trim() === '') columns = 0;
    else if (columns > 0 && cells > columns) yield { written, at };
    above = written;
    at += written.length + 1;
  }
}

function cellsIn(row: string): number {
  // A filter of a template is no cell.
  const cells = row.replace(/\{[{%][^{}]*\}/g, '').trim();
  return cells.replace(/^\||(?<!\\)\|$/g, '').split(/(?<!\\)\|/).length;
}

/** Each at one place of a text, as a pattern may look at what is around it. */
const marksAt = Object.entries(marks).map(
  ([what, { source }]) => [what, new RegExp(source, 'muy')] as const,
);

const anyMark = new RegExp(
  Object.values(marks)
    .map(({ source }) => source)
    .join('|'),
  'gmu',
);

/** What the Markdown of other programs has, and that of emails has not: readers see its signs. */
export const foreignMarkdown = defineCheck({
  code: 'foreign-markdown',
  severity: 'warning',
  meaning: 'signs of another Markdown, which are sent as they are',
  doors: warns,
  title: () => 'Readers do not see this Markdown as it may be meant:',
  find({ writtenBody = '', literal = false }, report) {
    if (literal) return;
    const long = [...longRows(writtenBody)];
    const ends = long.length === 0 ? [] : outsideCode(writtenBody, 'text', /$/gm);
    const shown = new Set(ends.map(({ at }) => at));
    for (const { written, at } of long) {
      if (!shown.has(at + written.length)) continue;
      const item = written.trim().slice(0, 80);
      report({
        ...{
          where: 'html',
          item: `${item} (more cells than the header of its table)`,
          atWritten: at,
          isLikely: true,
        },
        message: `${item} has more cells than the header of its table, so readers do not see the last ones.`,
      });
    }
    for (const { written, at } of outsideCode(writtenBody, 'text', anyMark)) {
      const item = written.trim().replace(/\s+/g, ' ');
      const [what = ''] =
        marksAt.find(([, mark]) => {
          mark.lastIndex = at;
          return mark.test(writtenBody);
        }) ?? [];
      report({
        ...{ where: 'html', item, atWritten: at + written.search(/\S/), isLikely: true },
        message: `${item} is ${what} in other programs. Here it is sent as it is.`,
      });
    }
  },
});
