import { linkOf, withoutSentenceEnd } from '../../shared/check/links-of.ts';
import type { LinkText } from './readable-lines.ts';

/** A link in a message. */
export interface FoundLink {
  readonly url: string;
  /** What the reader sees, also instead of an image; the URL itself in plain text. */
  readonly text: string;
  /** Whether it is there to unsubscribe. */
  readonly unsubscribes: boolean;
}

const inText = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s<>"“”‘’«»…。，、）]+/gi;

/** Links that lead nowhere from a message, or to another program. */
const elsewhere = /^(?:mailto|tel|sms|javascript|data|cid):|^(?![a-z][a-z\d+.-]*:|\/\/)/i;

/** The links of the HTML in order, then those that are written as URLs in the texts, each URL once. */
export function linksIn(
  links: readonly LinkText[],
  texts: readonly string[],
): readonly FoundLink[] {
  const written = [
    ...links.map(({ element, text }) => ({ url: linkOf(element)?.href ?? '', text, before: '' })),
    ...texts.flatMap((text) =>
      [...text.matchAll(inText)].map(({ 0: match, index }) => {
        const url = withoutSentenceEnd(match);
        // What leads to it in the same sentence.
        const before = text.slice(Math.max(0, index - 80), index).split(/[.!?]\s|:\/\//);
        return { url, text: url, before: before.at(-1) ?? '' };
      }),
    ),
  ];
  const found = new Map<string, FoundLink>();
  for (const { url, text, before } of written) {
    if (elsewhere.test(url) || found.has(url)) continue;
    const unsubscribes = unsubscribing.test(`${before} ${url} ${text}`);
    found.set(url, { url, text, unsubscribes });
  }
  return [...found.values()];
}

const unsubscribing =
  /unsubscribe|opt[- ]?out|abmelden|abbestellen|désabonn|désinscri|desuscri|darse de baja|cancelar? (?:la |a )?(?:suscripci|inscri|subscri)|annulla l.iscrizione|disiscri|uitschrijven|afmelden|avregistrera|wypisz|отписаться/i;
