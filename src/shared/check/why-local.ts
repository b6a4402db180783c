import { isPrivateHost } from './private-host.ts';
import { quoted } from './quoted.ts';

/**
 * Why nobody but the sender can load an image, as the end of a sentence; undefined if others may. What a
 * placeholder begins is not known, and what `cid:` and `data:` refer to is in the email. A relative URL is loaded
 * from `base`.
 */
export function whyLocal(url: string, base?: string): string | undefined {
  if (/^(?:\{[{%$]|<%|%%|\*\||\$\{|\[\[|#|cid:|mid:|data:)/i.test(url)) return undefined;
  if (base !== undefined && !/^[a-z][\w+.-]*:/i.test(url)) {
    const why = whyLocal(base);
    return why === undefined ? undefined : `${quoted(url)} is relative, and its base ${why}`;
  }
  if (url.startsWith('//')) return `${quoted(url)} has no scheme: write https: before it`;
  if (/^https?:\/\//i.test(url)) {
    const { hostname } = URL.parse(url) ?? {};
    if (hostname === undefined || !isPrivateHost(hostname)) return undefined;
    return `${quoted(url)} is in your own network`;
  }
  if (/^(?:file:|[a-z]:[\\/])/i.test(url)) return `${quoted(url)} is a file on your own computer`;
  return `${quoted(url)} is not a complete URL`;
}

/** The same for a link, which may also lead to an app, or to a place in the email. */
export function whyLocalLink(href: string, base?: string): string | undefined {
  // Also what may be a placeholder of another service.
  if (href === '' || /^[[{<%*$#]/.test(href)) return undefined;
  const scheme = /^([a-z][\w+.-]*):/i.exec(href)?.[1];
  const isOfApp = scheme !== undefined && !/^(?:https?|file|localhost|[a-z])$/i.test(scheme);
  return whyNobody(href) ?? (isOfApp ? undefined : whyLocal(href, base));
}

/** Why no program can open a link, as the end of a sentence; undefined if one may. */
export function whyNobody(href: string): string | undefined {
  if (/^(?:about|blob|cid|mid|data):/i.test(href))
    return `${quoted(href)} is not something that a link can open`;
  const isDotted = /^\.|\.\./.test(URL.parse(href)?.hostname ?? '');
  return isDotted ? `${quoted(href)} has one dot too many in its host name` : undefined;
}

/** Whether a link leads to the web server of a machine in the own network, such as one that is being developed. */
export function isOfNetwork(href: string): boolean {
  if (!/^https?:\/\//i.test(href)) return false;
  const { hostname } = URL.parse(href) ?? {};
  return hostname !== undefined && isPrivateHost(hostname);
}
