/**
 * Whether a word may be the id of a book or a template. Names have capitals, spaces or other
 * characters.
 */
export function looksLikeId(named: string): boolean {
  return /^[a-z\d_-]+$/.test(named);
}

/** A CUID, a UUID, or an id of the sandbox's example data. */
const madeIds = [
  /^(?=.*\d)[a-z\d]{20,}$/,
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^(tmpl|seg)_/,
];

/** Whether a word looks like a generated id, unlike `order_confirmation` or `news-2026`. */
export function looksLikeMadeId(named: string): boolean {
  return looksLikeId(named) && madeIds.some((pattern) => pattern.test(named));
}
