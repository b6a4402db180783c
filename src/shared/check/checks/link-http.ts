import { defineCheck } from '../check.ts';
import { judgedLinks } from '../links.ts';
import { quoted } from '../quoted.ts';

export const linkHttp = defineCheck({
  code: 'link-http',
  severity: 'warning',
  meaning: 'a link without encryption',
  find(message, report) {
    for (const { href, at, url } of judgedLinks(message)) {
      if (url?.protocol !== 'http:') continue;
      report({
        where: 'html',
        at,
        message: `${quoted(href)} is opened without encryption; use https.`,
        key: 'http',
      });
    }
  },
});
