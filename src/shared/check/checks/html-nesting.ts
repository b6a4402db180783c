import { defineCheck, stops } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { mostLevels } from '../read-html.ts';

export const htmlNesting = defineCheck({
  code: 'html-nesting',
  severity: 'error',
  meaning: 'elements that are nested too deeply for many programs',
  doors: stops,
  title: () => 'Many programs cannot show this HTML:',
  advice: 'Most often, elements have no end tags.',
  find(message, report) {
    const { tooDeepAt: at } = htmlDocumentOf(message);
    if (at === undefined) return;
    const item = `elements are nested too deeply, in more than ${mostLevels} others`;
    report({ where: 'html', at, message: `From here, ${item}.`, item });
  },
});
