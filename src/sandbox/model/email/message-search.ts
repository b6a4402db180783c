import type { Store } from '../../store/store.ts';
import { type Content, readableText } from './message-text.ts';

/** How many characters of an email are searched. */
const textSearched = 100_000;
const subjectSearched = 2000;
const addressesSearched = 100_000;

interface Findable extends Content {
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
}

/** The searched text of an email. It is stored, because folding it takes longer than searching. */
export function searchableText(email: Findable): string {
  const addresses = [...email.to, ...email.cc, ...email.bcc].join('\n');
  return fold(
    [
      email.subject.slice(0, subjectSearched),
      email.from,
      addresses.slice(0, addressesSearched),
      readableText(email, textSearched).slice(0, textSearched),
    ].join('\n'),
  );
}

/** More marks on one letter than any script has; sorting them takes quadratic time. */
const marks = /(\p{M}{30})\p{M}+/gu;

/** In lower case, with single spaces. SQLite folds ASCII letters only. */
function fold(text: string): string {
  return text
    .replace(marks, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\0]+/g, ' ')
    .trim();
}

interface Search {
  /** All words must be in the email; words in quotes must be adjacent. */
  readonly query: string;
  /** Only emails with a smaller `seq`, the newest first; or a larger one, the oldest first. */
  readonly beyond: { readonly before: number } | { readonly after: number };
  readonly limit: number;
}

const mostTerms = 8;

const termLength = 100;

/** The `seq` of the emails that a query finds. */
export function findMessages(store: Store, { query, beyond, limit }: Search): number[] {
  const terms = termsOf(query);
  const [side, order, seq] =
    'before' in beyond
      ? (['<', 'DESC', beyond.before] as const)
      : (['>', 'ASC', beyond.after] as const);
  const conditions = [`seq ${side} ?`, ...terms.map(() => 'instr(folded, ?)')];
  return store
    .all<{ seq: number }>(
      `SELECT seq FROM message_texts WHERE ${conditions.join(' AND ')} ORDER BY seq ${order} LIMIT ?`,
      seq,
      ...terms,
      limit,
    )
    .map((found) => found.seq);
}

function termsOf(query: string): string[] {
  return [...fold(query).matchAll(/"([^"]+)"|\S+/g)]
    .map(([whole, quoted]) => (quoted ?? whole).slice(0, termLength).trim())
    .filter((term) => term !== '')
    .slice(0, mostTerms);
}
