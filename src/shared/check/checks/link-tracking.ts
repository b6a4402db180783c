import { defineCheck } from '../check.ts';
import { judgedLinks } from '../links.ts';
import { quoted } from '../quoted.ts';

/** Parameters that identify the person who copied the link. */
const personal =
  /^(fbclid|gclid|dclid|msclkid|twclid|igshid|mc_eid|_hsenc|_hsmi|yclid|wbraid|gbraid|vero_id)$/i;

/** Parameters that track campaigns. */
const ofCampaigns = /^utm_/i;

export const linkTracking = defineCheck({
  code: 'link-tracking',
  severity: 'info',
  meaning: 'a link with tracking parameters',
  find(message, report) {
    for (const { at, url } of judgedLinks(message)) {
      const names = [...(url?.searchParams.keys() ?? [])];
      const own = names.find((name) => personal.test(name));
      const tracking = own ?? names.find((name) => ofCampaigns.test(name));
      if (tracking === undefined) continue;
      const tells =
        own === undefined
          ? 'tells the site about this email'
          : 'identifies the person who copied it';
      report({
        where: 'html',
        at,
        message: `A link has the parameter ${quoted(tracking)}, which ${tells}.`,
        key: tracking,
        severity: own === undefined ? 'info' : 'warning',
      });
    }
  },
});
