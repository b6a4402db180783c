/** A text without percent-encoding, however often it was encoded. */
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
