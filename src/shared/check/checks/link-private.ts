import { urlsInDocument } from '../../editor-document.ts';
import { defineCheck, stops } from '../check.ts';
import { judgedLinks } from '../links.ts';
import { linksInText, webLinksOf } from '../links-of.ts';
import { isOfNetwork, whyLocalLink } from '../why-local.ts';

export const linkPrivate = defineCheck({
  code: 'link-private',
  severity: 'error',
  meaning: 'a link to a machine that only you can reach',
  doors: stops,
  title: ({ isOne }) => `Recipients cannot open ${isOne ? 'this link' : 'these links'}:`,
  advice: 'Write the https URLs that everybody can open.',
  find(message, report) {
    for (const { at, fault } of judgedLinks(message)) {
      if (fault?.kind !== 'private') continue;
      report({ where: 'html', at, message: fault.message, item: fault.why ?? fault.message });
    }
    for (const url of urlsInDocument(message.content).links) {
      const item = isOfNetwork(url) ? whyLocalLink(url) : undefined;
      if (item === undefined) continue;
      report({ where: 'content', message: `The link ${item}.`, item });
    }
    // Readers see where the links of a text lead. Those of its HTML are in it, too.
    for (const { href, at } of linksInText(message.text ?? '')) {
      const item = isOfNetwork(href) ? whyLocalLink(href) : undefined;
      if (item === undefined || message.html?.includes(href)) continue;
      const may = { severity: 'warning', isLikely: true } as const;
      report({ where: 'text', at, message: `The link ${item}.`, item, ...may });
    }
    if (message.answers === undefined) return;
    for (const { url, where, at } of webLinksOf(message)) {
      const answer = message.answers.get(url);
      if (answer?.code === 'link-private') report({ ...answer, where, at });
    }
  },
});
