import { attempt } from '../../../shared/attempt.ts';

/** A text with all percent-encoding decoded, even if it was encoded several times. */
export function decoded(text: string): string {
  let current = text;
  for (;;) {
    const written = current;
    const next = attempt(() => decodeURIComponent(written), written);
    if (next === current) return current;
    current = next;
  }
}

/** A URL as people write it, decoded but for what would change its meaning; unchanged if it cannot be decoded. */
export function decodedUrl(url: string): string {
  return attempt(() => decodeURI(url), url);
}
