/** Whether it may be the id of a book or a template: names have capitals, spaces or other letters. */
export function looksLikeId(named: string): boolean {
  return /^[a-z\d_-]+$/.test(named);
}

/** A CUID, a UUID, or what the sandbox's example data has. */
const madeIds = [
  /^(?=.*\d)[a-z\d]{20,}$/,
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^(tmpl|seg)_/,
];

/** Whether it looks like an id that a service has made, and not like `order_confirmation` or `news-2026`. */
export function looksLikeMadeId(named: string): boolean {
  return looksLikeId(named) && madeIds.some((pattern) => pattern.test(named));
}
