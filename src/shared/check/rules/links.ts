import { distance } from '../../distance.ts';
import type { HtmlRule } from '../document.ts';
import type { CheckedEmail, Report } from '../finding.ts';
import { baseIn } from '../image-places.ts';
import { hasPlaceholder, linkOf, webLinksOf } from '../links-of.ts';
import { isPrivateHost } from '../private-host.ts';
import { quoted } from '../quoted.ts';
import { whyLocalLink } from '../why-local.ts';

/** Parameters that identify the person who copied the link. */
const personal =
  /^(fbclid|gclid|dclid|msclkid|twclid|igshid|mc_eid|_hsenc|_hsmi|yclid|wbraid|gbraid|vero_id)$/i;

/** Parameters that track campaigns. */
const ofCampaigns = /^utm_/i;

/** Checks whether everybody can open the links, and safely. */
export const checkLinks: HtmlRule = ({ elements }, _email, report) => {
  const base = baseIn({ elements });
  for (const element of elements) {
    const link = linkOf(element);
    if (link === undefined) continue;
    const { href: written, at } = link;
    const href = absolute(written, base);
    const found = (code: 'link-empty' | 'link-syntax' | 'link-private', message: string) =>
      report({ code, at, message });
    if (href === '' || href === '#') {
      found('link-empty', 'The link leads nowhere.');
      continue;
    }
    // Its value is filled in later. Another rule reports placeholders that remain.
    if (href.startsWith('#') || (hasPlaceholder(href) && whyLocalLink(href) === undefined))
      continue;
    const url = URL.parse(href);
    if (/^javascript:/i.test(href)) {
      found('link-syntax', 'Mail programs do not run the JavaScript of a link.');
    } else if (url?.protocol === 'file:') {
      found('link-syntax', `${quoted(href)} is a file on your own computer.`);
    } else if (url !== null && isNearlyWeb(url.protocol)) {
      found('link-syntax', `${quoted(href)} starts with a misspelt http: or https:.`);
    } else if (url === null || /^https?:$/.test(url.protocol) !== /^https?:\/\//i.test(href)) {
      found('link-syntax', `${quoted(href)} is not a complete URL; no mail program can open it.`);
    } else if (url.protocol === 'mailto:' || url.protocol === 'tel:' || url.protocol === 'sms:') {
      if (url.pathname === '' && url.search === '')
        found('link-empty', `${quoted(href)} has no target.`);
      else if (url.protocol === 'mailto:' && !hasAddresses(url.pathname))
        found('link-syntax', `${quoted(href)} has no valid email address.`);
    } else if (isPrivateHost(url.hostname)) {
      found('link-private', `${quoted(href)} can be opened only in your own network.`);
    } else {
      if (url.protocol === 'http:') {
        report({
          code: 'link-http',
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
          at,
          message:
            own === undefined
              ? `A link has the parameter ${quoted(tracking)}, which tells the site about this email.`
              : `A link has the parameter ${quoted(tracking)}, which identifies the person who copied it.`,
          key: tracking,
          severity: own === undefined ? 'info' : 'warning',
        });
      }
    }
  }
};

/** A relative link as the base of the email makes it. */
function absolute(href: string, base: string | undefined): string {
  if (base === undefined || href === '' || href.startsWith('#') || hasPlaceholder(href))
    return href;
  return (URL.canParse(href) ? undefined : URL.parse(href, base)?.href) ?? href;
}

/** Whether a scheme is most likely a misspelt `http:` or `https:`. Apps have schemes of their own. */
function isNearlyWeb(scheme: string): boolean {
  return Math.min(distance(scheme, 'http:'), distance(scheme, 'https:')) === 1;
}

/** Whether the path of a `mailto:` link has addresses only; without any, the reader fills them in. */
function hasAddresses(path: string): boolean {
  return path === '' || path.split(',').every((one) => /^[^@]+(?:@|%40)[^@]+$/i.test(one));
}

/** Reports what servers responded about links, if they were asked. */
export function checkLinkResponses(email: CheckedEmail, report: Report): void {
  const { answers } = email;
  if (answers === undefined) return;
  for (const { url, where, at } of webLinksOf(email)) {
    const answer = answers.get(url);
    if (answer !== undefined) report({ ...answer, where, at });
  }
}
