import { linkOf, withoutSentenceEnd } from '../../shared/check/links-of.ts';
import type { LinkText } from './readable-lines.ts';

/** A link in a message. */
export interface FoundLink {
  readonly url: string;
  /** What the reader sees; empty for an image, and the URL itself in plain text. */
  readonly text: string;
  /** Whether it is there to unsubscribe. */
  readonly unsubscribes: boolean;
}

const inText = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s<>"]+/gi;

/** Links that lead nowhere, or to another program. */
const elsewhere = /^(?:mailto|tel|sms|javascript|data|cid):|^#|^$/i;

/** The links of the HTML in order, or else those of the text, each URL once. */
export function linksIn(text: string, links: readonly LinkText[]): readonly FoundLink[] {
  const written =
    links.length > 0
      ? links.map((link) => ({ url: linkOf(link.element)?.href ?? '', text: link.text }))
      : [...text.matchAll(inText)].map(([match]) => {
          const url = withoutSentenceEnd(match);
          return { url, text: url };
        });
  const found = new Map<string, FoundLink>();
  for (const link of written) {
    if (elsewhere.test(link.url) || found.has(link.url)) continue;
    found.set(link.url, { ...link, unsubscribes: unsubscribing.test(`${link.url} ${link.text}`) });
  }
  return [...found.values()];
}

const unsubscribing =
  /unsubscribe|opt-?out|abmelden|abbestellen|désabonner|desuscribir|cancelar? suscripci|annulla l'iscrizione/i;
