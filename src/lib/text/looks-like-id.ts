/** Whether it may be the id of a book or a template: names have capitals, spaces or other letters. */
export function looksLikeId(named: string): boolean {
  return /^[a-z\d_-]+$/.test(named);
}

/** Whether it looks like an id that a service has made: those have digits, and the sandbox's `_`. */
export function looksLikeMadeId(named: string): boolean {
  return looksLikeId(named) && /[\d_]/.test(named);
}
