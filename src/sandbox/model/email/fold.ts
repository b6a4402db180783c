/** Matches more marks on one letter than any script uses; sorting them takes quadratic time. */
const marks = /(\p{M}{30})\p{M}+/gu;

/** Text in lower case, with single spaces. SQLite folds only ASCII letters. */
export function fold(text: string): string {
  return text
    .replace(marks, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\0]+/g, ' ')
    .trim();
}
