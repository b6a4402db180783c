import type { HtmlRule } from '../document.ts';
import type { Element } from '../read-html.ts';
import { quoted } from './images.ts';

/** Parameters that identify the person who copied the link. */
const personal =
  /^(fbclid|gclid|dclid|msclkid|twclid|igshid|mc_eid|_hsenc|_hsmi|yclid|wbraid|gbraid|vero_id)$/i;

/** Parameters of campaigns. */
const ofCampaigns = /^utm_/i;

/** Names that only resolve on one machine or in one network. */
const privateHost =
  /^(localhost|.*\.(localhost|local|internal|test|invalid|lan)|0\.0\.0\.0|127\..*|10\.[\d.]*|192\.168\.[\d.]*|172\.(1[6-9]|2\d|3[01])\.[\d.]*|169\.254\.[\d.]*|\[::1?\]|\[f[cd][0-9a-f]{2}:.*\])$/i;

/** The targets of links: whether they can be opened, by everybody, safely. */
export const checkLinks: HtmlRule = ({ elements }, _email, report) => {
  for (const element of elements) {
    const link = targetOf(element);
    if (link === undefined) continue;
    const { href, at } = link;
    const found = (code: 'link-empty' | 'link-syntax' | 'link-private', message: string) =>
      report({ code, where: 'html', at, message });
    if (href === '' || href === '#') {
      found('link-empty', 'The link leads nowhere.');
      continue;
    }
    // A placeholder is filled in later; what may be left over of it is another rule's.
    if (href.startsWith('#') || /\{[{%]/.test(href)) continue;
    const url = URL.parse(href);
    if (/^javascript:/i.test(href)) {
      found('link-syntax', 'Mail programs do not run the JavaScript of a link.');
    } else if (url === null || /^https?:$/.test(url.protocol) !== /^https?:\/\//i.test(href)) {
      found('link-syntax', `${quoted(href)} is not a whole URL; no mail program can open it.`);
    } else if (url.protocol === 'mailto:' || url.protocol === 'tel:' || url.protocol === 'sms:') {
      if (url.pathname === '' && url.search === '')
        found('link-empty', `${quoted(href)} has no target.`);
    } else if (privateHost.test(url.hostname)) {
      found('link-private', `${quoted(href)} can be opened only in your own network.`);
    } else {
      if (url.protocol === 'http:') {
        report({
          code: 'link-http',
          where: 'html',
          at,
          message: `${quoted(href)} is opened without encryption; use https.`,
          key: 'http',
        });
      }
      const names = [...url.searchParams.keys()];
      const own = names.find((name) => personal.test(name));
      const tracking = own ?? names.find((name) => ofCampaigns.test(name));
      if (tracking !== undefined) {
        report({
          code: 'link-tracking',
          where: 'html',
          at,
          message:
            own === undefined
              ? `A link has the parameter ${quoted(tracking)}, which tells the site of this email.`
              : `A link has the parameter ${quoted(tracking)}, which stands for the person who copied it.`,
          key: tracking,
          severity: own === undefined ? 'info' : 'warning',
        });
      }
    }
  }
};

function targetOf({ name, attributes }: Element) {
  const href = name === 'a' || name === 'area' ? attributes.get('href') : undefined;
  return href === undefined ? undefined : { href: href.value.trim(), at: href.at };
}
