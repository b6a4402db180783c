import { attempt } from '../../shared/attempt.ts';

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
