import { urlsInDocument } from '../../editor-document.ts';
import { defineCheck, warns } from '../check.ts';
import { judgedLinks } from '../links.ts';
import { quoted } from '../quoted.ts';

export const linkEmpty = defineCheck({
  code: 'link-empty',
  severity: 'warning',
  meaning: 'a link to nowhere',
  doors: warns,
  title: ({ isOne }) => (isOne ? 'This link leads nowhere:' : 'These links lead nowhere:'),
  advice: 'Give each link a URL, or remove it.',
  find(message, report) {
    for (const { at, fault, href } of judgedLinks(message)) {
      if (fault?.kind !== 'empty') continue;
      const item = fault.why ?? (href === '' ? 'an empty href' : quoted(href));
      report({ where: 'html', at, message: fault.message, item, isLikely: true });
    }
    for (const url of urlsInDocument(message.content).links) {
      if (url !== '' && url !== '#') continue;
      const item = url === '' ? 'an empty URL' : quoted(url);
      report({ where: 'content', message: 'The link leads nowhere.', item, isLikely: true });
    }
  },
});
