import { defineCheck, type MessageCheck, type Report } from '../check.ts';
import { webLinksOf } from '../links-of.ts';
import type { LinkAnswer, MessageContent } from '../message.ts';

/** Reports what servers responded about links, if they were asked. */
function answered(code: LinkAnswer['code']): MessageCheck['find'] {
  return (message: MessageContent, report: Report) => {
    if (message.answers === undefined) return;
    for (const { url, where, at } of webLinksOf(message)) {
      const answer = message.answers.get(url);
      if (answer?.code === code) report({ ...answer, where, at });
    }
  };
}

export const linkBroken = defineCheck({
  code: 'link-broken',
  severity: 'error',
  meaning: 'a link to a page that was not found; only with --links',
  find: answered('link-broken'),
});

export const linkRedirect = defineCheck({
  code: 'link-redirect',
  severity: 'info',
  meaning: 'a link that redirects to another page; only with --links',
  find: answered('link-redirect'),
});

export const linkUnavailable = defineCheck({
  code: 'link-unavailable',
  severity: 'warning',
  meaning: 'a link whose page could not be loaded; only with --links',
  find: answered('link-unavailable'),
});
