/** A text with all percent-encoding decoded, even if it was encoded several times. */
export function decoded(text: string): string {
  let current = text;
  for (;;) {
    let next: string;
    try {
      next = decodeURIComponent(current);
    } catch {
      return current;
    }
    if (next === current) return current;
    current = next;
  }
}
