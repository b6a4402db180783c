/** More marks on one letter than any script has; sorting them takes quadratic time. */
const marks = /(\p{M}{30})\p{M}+/gu;

/** In lower case, with single spaces. SQLite folds ASCII letters only. */
export function fold(text: string): string {
  return text
    .replace(marks, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\0]+/g, ' ')
    .trim();
}
