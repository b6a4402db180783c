import { urlsInDocument } from '../../editor-document.ts';
import { defineCheck, warns } from '../check.ts';
import { judgedLinks } from '../links.ts';

export const linkEmpty = defineCheck({
  code: 'link-empty',
  severity: 'warning',
  meaning: 'a link to nowhere',
  doors: warns,
  title: () => 'A link leads nowhere:',
  advice: 'Write where it leads, or leave it out.',
  find(message, report) {
    for (const { at, fault } of judgedLinks(message)) {
      if (fault?.kind === 'empty')
        report({ where: 'html', at, message: fault.message, isLikely: true });
    }
    for (const url of urlsInDocument(message.content).links) {
      if (url !== '' && url !== '#') continue;
      report({ where: 'content', message: 'The link leads nowhere.', isLikely: true });
    }
  },
});
