import { distance } from '../distance.ts';
import { htmlDocumentOf } from './document.ts';
import { baseIn } from './image-places.ts';
import { hasPlaceholder, linkOf } from './links-of.ts';
import type { MessageContent } from './message.ts';
import { isPrivateHost } from './private-host.ts';
import { quoted } from './quoted.ts';
import type { Element } from './read-html.ts';
import { whyLocalLink, whyNobody } from './why-local.ts';

/** What is wrong with a link, or that it can be opened. */
export interface JudgedLink {
  readonly href: string;
  readonly at: number;
  readonly fault?: {
    readonly kind: 'empty' | 'syntax' | 'private';
    readonly message: string;
    /** Why only the sender can open it, as the end of a sentence. */
    readonly why?: string | undefined;
  };
  /** Of a link to the web that everybody may open. */
  readonly url?: URL;
}

const judged = new WeakMap<MessageContent, readonly JudgedLink[]>();

/** The links in the HTML of a message, but for those whose target is filled in later, judged once for all checks. */
export function judgedLinks(message: MessageContent): readonly JudgedLink[] {
  const known = judged.get(message);
  if (known !== undefined) return known;
  const document = htmlDocumentOf(message);
  const base = baseIn(document);
  const links = document.elements.flatMap((element): readonly JudgedLink[] => {
    const link = linkOf(element);
    const href = link === undefined ? undefined : absolute(link.href, base);
    if (leadsNowhere(element)) return [{ href: '', at: element.at, fault: withoutHref }];
    // Another check reports placeholders that remain.
    if (link === undefined || href === undefined || isLater(href)) return [];
    return [{ href, at: link.at, ...verdictOn(href, link.href, base) }];
  });
  judged.set(message, links);
  return links;
}

const withoutHref = {
  kind: 'empty',
  message: 'An <a> has no href, so it leads nowhere.',
  why: 'an <a> without an href',
} as const;

/** Whether it looks like a link without being one. With a name, it is a place to link to; a template may write the rest. */
function leadsNowhere({ name, attributes }: Element): boolean {
  return (
    name === 'a' && ![...attributes.keys()].some((one) => /^(?:href|name|id)$|^[{<]/.test(one))
  );
}

/** Whether it leads to a place in the email, or to where a value will say. */
function isLater(href: string): boolean {
  const isAnchor = href.length > 1 && href.startsWith('#');
  return isAnchor || (hasPlaceholder(href) && whyLocalLink(href) === undefined);
}

/** A relative link as the base of the email makes it. */
function absolute(href: string, base: string | undefined): string {
  if (base === undefined || href === '' || href.startsWith('#') || hasPlaceholder(href))
    return href;
  return (URL.canParse(href) ? undefined : URL.parse(href, base)?.href) ?? href;
}

function verdictOn(
  href: string,
  written: string,
  base: string | undefined,
): Pick<JudgedLink, 'fault' | 'url'> {
  const fault = (kind: 'empty' | 'syntax' | 'private', message: string) => ({
    fault: { kind, message, why: whyLocalLink(written, base) },
  });
  if (href === '' || href === '#') return fault('empty', 'The link leads nowhere.');
  const url = URL.parse(href);
  if (/^javascript:/i.test(href)) {
    return fault('syntax', 'Mail programs do not run the JavaScript of a link.');
  }
  if (/^(?:file|[a-z]):$/.test(url?.protocol ?? '')) {
    return fault('syntax', `${quoted(href)} is a file on your own computer.`);
  }
  if (url !== null && isNearlyWeb(url.protocol)) {
    return fault('syntax', `${quoted(href)} starts with a misspelt http: or https:.`);
  }
  const never = whyNobody(href);
  if (never !== undefined) return fault('syntax', `${never}.`);
  const isWeb = /^https?:\/\//i.test(href);
  if (url === null || /^(?:https?|localhost):$/.test(url.protocol) !== isWeb) {
    return fault('syntax', `${quoted(href)} is not a complete URL; no mail program can open it.`);
  }
  if (/^(?:mailto|tel|sms):$/.test(url.protocol)) {
    if (url.pathname === '' && url.search === '') {
      return fault('empty', `${quoted(href)} has no target.`);
    }
    return url.protocol === 'mailto:' && !hasAddresses(url.pathname)
      ? fault('syntax', `${quoted(href)} has no valid email address.`)
      : {};
  }
  if (!isWeb) return {};
  return isPrivateHost(url.hostname)
    ? fault('private', `${quoted(href)} can be opened only in your own network.`)
    : { url };
}

/** Whether a scheme is most likely a misspelt `http:` or `https:`. Apps have schemes of their own. */
function isNearlyWeb(scheme: string): boolean {
  return Math.min(distance(scheme, 'http:'), distance(scheme, 'https:')) === 1;
}

/** Whether the path of a `mailto:` link has addresses only; without any, the reader fills them in. */
function hasAddresses(path: string): boolean {
  if (path === '') return true;
  return path.split(',').every((one) => {
    const [local, domain, ...others] = one.split(/@|%40/i);
    return local !== '' && others.length === 0 && /[^.][.:][^.]/.test(domain ?? '');
  });
}
