import type { FileContact } from '../contact/compare-contacts.ts';
import { createTemporaryDatabase } from '../files/temporary-database.ts';

export type SaidConsent = '' | 'no' | 'perhaps no' | 'missing' | 'unconfirmed';

/** The contact in a row. */
export interface SaidRow {
  readonly row: number;
  readonly email: string;
  /**
   * What the row says about wanting email: nothing, `no`, `perhaps no` if the meaning of its column is not stated,
   * or what it lacks: see `RowConsent`.
   */
  readonly consent: SaidConsent;
  /** JSON of a `FileContact`, as most rows are sent: parsing it would take longer than everything else. */
  readonly said: string;
  /** The same, if already parsed. */
  readonly contact?: FileContact;
}

/**
 * Remembers the first row of each address and, with `keeps`, the contacts while all rows are checked, in a
 * temporary database.
 */
export function createContactRows(keeps: boolean) {
  const database = createTemporaryDatabase(`
    CREATE TABLE contact (
      row INTEGER PRIMARY KEY,
      email TEXT NOT NULL,
      consent TEXT NOT NULL,
      said TEXT NOT NULL
    ) STRICT;
    CREATE TABLE seen (address TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `);
  const see = database.prepare('INSERT OR IGNORE INTO seen (address, row) VALUES (?, ?)');
  const seeAgain = database.prepare('UPDATE seen SET row = ? WHERE address = ?');
  const find = database.prepare('SELECT row FROM seen WHERE address = ?');
  const insert = database.prepare(
    'INSERT INTO contact (row, email, consent, said) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM contact WHERE row = ? RETURNING email, consent');
  const keep = ({ row, email, consent, said }: SaidRow) => {
    if (keeps) insert.run(row, email, consent, said);
  };
  return {
    /** Adds a row. If an earlier row has the same address, ignoring case, returns its number instead. */
    add(said: SaidRow): number | undefined {
      const address = addressKey(said.email);
      if (see.run(address, said.row).changes === 0) return Number(find.get(address)?.row);
      keep(said);
      return undefined;
    },
    /**
     * Replaces an earlier row with the same address, which must be kept; returns its address. If it does not want
     * email, that stays, unless the later row says otherwise.
     */
    replace(earlier: number, said: SaidRow): string {
      const { email, consent } = remove.get(earlier) ?? {};
      seeAgain.run(said.row, addressKey(said.email));
      const isNo = consent === 'no' || consent === 'perhaps no';
      const { contact } = said;
      if (isNo && contact !== undefined && contact.subscribed === undefined) {
        keep({ ...said, consent, said: JSON.stringify({ ...contact, subscribed: false }) });
      } else keep(said);
      return String(email);
    },
    /** All rows, in input order. */
    *all(): Generator<SaidRow> {
      const rows = database.prepare('SELECT row, email, consent, said FROM contact ORDER BY row');
      for (const { row, email, consent, said } of rows.iterate()) {
        yield {
          row: Number(row),
          email: String(email),
          // Written by `keep`.
          consent: consent as SaidConsent,
          said: String(said),
        };
      }
    },
    close: () => database.close(),
  };
}

export type ContactRows = ReturnType<typeof createContactRows>;

/** What addresses of one person have in common: they may differ in case. */
export function addressKey(email: string): string {
  return email.toLowerCase();
}
