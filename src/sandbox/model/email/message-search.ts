import type { Store } from '../../store/store.ts';
import { fold } from './fold.ts';
import { readQuery } from './message-query.ts';
import { type Content, readableText } from './message-text.ts';

/** How many characters of an email are searched. */
const textSearched = 100_000;
const subjectSearched = 2000;
const addressesSearched = 100_000;

interface Findable extends Content {
  readonly from: string;
  /** All recipients. */
  readonly to: readonly string[];
  readonly subject: string;
}

/** Stores the folded text that a search reads, because folding takes longer than searching. */
export function storeSearchText(store: Store, emailId: string, email: Findable): void {
  const sender = fold(email.from);
  const recipients = fold(email.to.join('\n').slice(0, addressesSearched));
  const subject = fold(email.subject.slice(0, subjectSearched));
  const text = fold(readableText(email, textSearched).slice(0, textSearched));
  store.run(
    `INSERT INTO message_texts (seq, sender, recipients, subject, folded)
     SELECT seq, ?, ?, ?, ? FROM emails WHERE id = ?`,
    sender,
    recipients,
    subject,
    [subject, sender, recipients, text].join('\n'),
    emailId,
  );
}

interface Search {
  /** See `readQuery`. */
  readonly query: string;
  /** Only emails with a smaller `seq`, the newest first; or a larger one, the oldest first. */
  readonly beyond: { readonly before: number } | { readonly after: number };
  readonly limit: number;
}

/** The `seq` of the emails that a query finds. */
export function findMessages(store: Store, { query, beyond, limit }: Search): number[] {
  const { conditions, problems } = readQuery(query);
  if (problems.length > 0) return [];
  const [side, order, seq] =
    'before' in beyond
      ? (['<', 'DESC', beyond.before] as const)
      : (['>', 'ASC', beyond.after] as const);
  // The index has every column that conditions on `e` read, so the large rows of emails are not read.
  const tables = {
    e: 'emails AS e INDEXED BY emails_searched',
    t: 'message_texts AS t',
  };
  const used = (['e', 't'] as const).filter((name) =>
    conditions.some(({ table }) => table === name),
  );
  const [first = 'e'] = used;
  const sql = `SELECT ${first}.seq FROM ${tables[first]}
    ${used.length > 1 ? `CROSS JOIN ${tables.t} ON t.seq = e.seq` : ''}
    WHERE ${[`${first}.seq ${side} ?`, ...conditions.map((one) => one.sql)].join(' AND ')}
    ORDER BY ${first}.seq ${order} LIMIT ?`;
  const values = conditions.map(({ value }) => value);
  return store.all<{ seq: number }>(sql, seq, ...values, limit).map((found) => found.seq);
}
