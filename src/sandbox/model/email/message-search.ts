import { setImmediate } from 'node:timers/promises';
import { strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';
import { readableText } from './message-text.ts';

/** Characters of an email that are searched: of its text, its subject, and all its addresses. */
const textSearched = 100_000;
const subjectSearched = 2000;
const addressesSearched = 100_000;

/** Emails that are read and indexed in one transaction: others can write in between. */
const indexedAtOnce = 200;

interface Unindexed {
  seq: number;
  sender: string;
  recipients: string;
  cc: string;
  bcc: string;
  subject: string;
  text: string | null;
  html: string | null;
}

/**
 * Makes emails findable, the oldest first, `most` at most, and returns whether there are more.
 * Sending does not do it, since it takes longer than storing an email does; who serves does it in
 * the background.
 */
export function indexMessages(store: Store, most: number): boolean {
  const newest = store.one<{ seq: number | null }>('SELECT max(seq) AS seq FROM emails')?.seq ?? 0;
  for (let left = most; left > 0 && lastIndexed(store) < newest; left -= indexedAtOnce) {
    store.write(() => {
      // Asked again: another process may have been first.
      const emails = store.all<Unindexed>(
        `SELECT seq, sender, recipients, cc, bcc, subject, text, html FROM emails
         WHERE seq > ? ORDER BY seq LIMIT ?`,
        lastIndexed(store),
        Math.min(left, indexedAtOnce),
      );
      for (const email of emails) {
        store.run(
          'INSERT INTO message_search (rowid, folded) VALUES (?, ?)',
          email.seq,
          searchableText(email),
        );
      }
    });
  }
  return lastIndexed(store) < newest;
}

/** Makes all emails findable. Other requests are answered in between. */
export async function indexAllMessages(store: Store): Promise<void> {
  while (indexMessages(store, indexedAtOnce)) await setImmediate();
}

function lastIndexed(store: Store): number {
  const last = 'SELECT rowid AS seq FROM message_search ORDER BY rowid DESC LIMIT 1';
  return store.one<{ seq: number }>(last)?.seq ?? 0;
}

function searchableText(email: Unindexed): string {
  const addresses = [email.recipients, email.cc, email.bcc].flatMap(strings);
  const text = readableText(email, textSearched).slice(0, textSearched);
  return fold(
    [
      email.subject.slice(0, subjectSearched),
      email.sender,
      addresses.join('\n').slice(0, addressesSearched),
      text,
    ].join('\n'),
  );
}

/** More marks on one letter than any script has: to sort them takes the square of their number. */
const marks = /(\p{M}{30})\p{M}+/gu;

/** Without case, and with one kind of space. SQLite folds the letters of ASCII only. */
function fold(text: string): string {
  return text
    .replace(marks, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\0]+/g, ' ')
    .trim();
}

/** Which emails are looked for. */
export interface Search {
  /** All of its words must be in the email; "several words" in quotes stand together. */
  readonly query: string;
  /** Only emails with a smaller `seq`, the newest first; or a larger one, the oldest first. */
  readonly beyond: { readonly before: number } | { readonly after: number };
  readonly limit: number;
}

/** Words of a query that count. */
const mostTerms = 8;

const termLength = 100;

/** The `seq` of the emails that a query finds, of those that have been made findable. */
export function findMessages(store: Store, { query, beyond, limit }: Search): number[] {
  const terms = termsOf(query);
  // The index finds what has the three-letter pieces of the words; whether they stand in a row, the
  // text says. An index that says so too is six times as large and takes twice as long to make.
  const pieces = [...new Set(terms.flatMap(trigrams))].map(
    (one) => `"${one.replaceAll('"', '""')}"`,
  );
  const conditions = [
    ...(pieces.length === 0 ? [] : ['message_search MATCH ?']),
    ...terms.map(() => 'instr(folded, ?)'),
    'before' in beyond ? 'rowid < ?' : 'rowid > ?',
  ];
  return store
    .all<{ seq: number }>(
      `SELECT rowid AS seq FROM message_search WHERE ${conditions.join(' AND ')}
       ORDER BY rowid ${'before' in beyond ? 'DESC' : 'ASC'} LIMIT ?`,
      ...(pieces.length === 0 ? [] : [pieces.join(' AND ')]),
      ...terms,
      'before' in beyond ? beyond.before : beyond.after,
      limit,
    )
    .map(({ seq }) => seq);
}

function termsOf(query: string): string[] {
  return [...fold(query).matchAll(/"([^"]+)"|\S+/g)]
    .map(([whole, quoted]) => (quoted ?? whole).slice(0, termLength).trim())
    .filter((term) => term !== '')
    .slice(0, mostTerms);
}

/** Three-letter pieces that cover a term. It has more of them, which would only be looked up too. */
function trigrams(term: string): string[] {
  const characters = [...term];
  const last = characters.length - 3;
  return characters
    .slice(0, Math.max(0, last + 1))
    .map((_, at) => at)
    .filter((at) => at % 3 === 0 || at === last)
    .map((at) => characters.slice(at, at + 3).join(''));
}
