import { urlsInDocument } from '../../editor-document.ts';
import { defineCheck, stops } from '../check.ts';
import { judgedLinks } from '../links.ts';
import { isOfNetwork, whyLocalLink } from '../why-local.ts';

export const linkSyntax = defineCheck({
  code: 'link-syntax',
  severity: 'error',
  meaning: 'a link that mail programs cannot open',
  doors: stops,
  title: ({ isOne }) => `Recipients cannot open ${isOne ? 'this link' : 'these links'}:`,
  advice: 'Write the https URLs that everybody can open.',
  find(message, report) {
    for (const { at, fault } of judgedLinks(message)) {
      if (fault?.kind !== 'syntax') continue;
      const { message: sentence, why: item = sentence, why } = fault;
      // A link of an app, or an address that is nearly one, may work somewhere.
      report({ where: 'html', at, message: sentence, item, isLikely: why === undefined });
    }
    for (const url of urlsInDocument(message.content).links) {
      const item = whyLocalLink(url);
      if (item === undefined || isOfNetwork(url)) continue;
      report({ where: 'content', message: `Recipients cannot open the link: ${item}.`, item });
    }
  },
});
