/** Whether it may be the id of a book or a template: names have capitals, spaces or other letters. */
export function looksLikeId(named: string): boolean {
  return /^[a-z\d_-]+$/.test(named);
}
