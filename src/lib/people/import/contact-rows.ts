import { createTemporaryDatabase } from '../../base/files/temporary-database.ts';
import type { CellSays } from '../consent/consent.ts';
import type { FileContact } from '../contact/compare-contacts.ts';

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
  /** What its columns say about wanting email, for `Consent.count`. */
  readonly cells?: readonly CellSays[] | undefined;
}

/**
 * Remembers the first row of each address and the contacts that are kept until all rows are checked, in a temporary
 * database.
 */
export function createContactRows() {
  const database = createTemporaryDatabase(`
    CREATE TABLE contact (
      row INTEGER PRIMARY KEY,
      email TEXT NOT NULL,
      consent TEXT NOT NULL,
      said TEXT NOT NULL,
      cells TEXT NOT NULL
    ) STRICT;
    CREATE TABLE seen (address TEXT PRIMARY KEY, row INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `);
  const see = database.prepare('INSERT OR IGNORE INTO seen (address, row) VALUES (?, ?)');
  const seeAgain = database.prepare('UPDATE seen SET row = ? WHERE address = ?');
  const find = database.prepare('SELECT row FROM seen WHERE address = ?');
  const insert = database.prepare(
    'INSERT INTO contact (row, email, consent, said, cells) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = database.prepare(
    'DELETE FROM contact WHERE row = ? RETURNING email, consent, cells',
  );
  const keep = ({ row, email, consent, said, cells = [] }: SaidRow) => {
    insert.run(row, email, consent, said, JSON.stringify(cells));
  };
  return {
    /** Sees a row. If an earlier row has the same address, ignoring case, returns its number. */
    earlier({ email, row }: SaidRow): number | undefined {
      const address = addressKey(email);
      if (see.run(address, row).changes > 0) return undefined;
      return Number(find.get(address)?.row);
    },
    keep,
    /**
     * Replaces an earlier row with the same address, which must be kept. Tells whether it says no, which stays, and whether
     * the later one says yes.
     */
    replace(earlier: number, said: SaidRow) {
      const { email, consent, cells } = remove.get(earlier) ?? {};
      seeAgain.run(said.row, addressKey(said.email));
      const { contact } = said;
      const isNo = consent === 'no' || consent === 'perhaps no';
      const staysNo = isNo && contact !== undefined && contact.subscribed !== false;
      if (staysNo) {
        keep({ ...said, consent, said: JSON.stringify({ ...contact, subscribed: false }) });
      } else keep(said);
      return {
        email: String(email),
        // Written by `keep`.
        cells: JSON.parse(String(cells)) as CellSays[],
        isNoAgainstYes: staysNo && contact.subscribed === true,
        staysNo,
      };
    },
    /** All rows that are kept, in input order, without these properties. */
    *all(dropped: ReadonlySet<string>): Generator<SaidRow> {
      const rows = database.prepare('SELECT row, email, consent, said FROM contact ORDER BY row');
      for (const { row, email, consent, said } of rows.iterate()) {
        yield {
          row: Number(row),
          email: String(email),
          // Written by `keep`.
          consent: consent as SaidConsent,
          said: dropped.size === 0 ? String(said) : withoutProperties(String(said), dropped),
        };
      }
    },
    close: () => database.close(),
  };
}

export type ContactRows = ReturnType<typeof createContactRows>;

function withoutProperties(said: string, dropped: ReadonlySet<string>): string {
  // Written by `createContactReader`.
  const { properties, ...contact } = JSON.parse(said) as FileContact;
  const kept = Object.entries(properties).filter(([name]) => !dropped.has(name));
  return JSON.stringify({ ...contact, properties: Object.fromEntries(kept) });
}

/** What addresses of one person have in common: they may differ in case. */
export function addressKey(email: string): string {
  return email.toLowerCase();
}
