import { defineCheck, warnsOfAll } from '../check.ts';
import { htmlDocumentOf } from '../document.ts';
import { baseIn } from '../image-places.ts';
import { whyLocal } from '../why-local.ts';

export const styleSource = defineCheck({
  code: 'style-source',
  severity: 'warning',
  meaning: 'a style sheet that no mail program can load',
  doors: warnsOfAll,
  title: () => 'Recipients cannot load this style sheet, so the style is missing:',
  advice: 'Put its rules into <style>.',
  find(message, report) {
    const document = htmlDocumentOf(message);
    for (const { name, at, attributes } of document.elements) {
      const url = attributes.get('href')?.value.trim() ?? '';
      const isSheet = /\bstylesheet\b/i.test(attributes.get('rel')?.value ?? '');
      const item = name === 'link' && isSheet && url ? whyLocal(url, baseIn(document)) : undefined;
      if (item === undefined) continue;
      const message = `Recipients cannot load the style sheet: ${item}.`;
      report({ where: 'html', at, item, message, isLikely: true });
    }
  },
});
