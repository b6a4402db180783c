import { limits } from '../../../api/limits.ts';
import type { PolicyRefusal } from '../../base/errors.ts';
import { createTemporaryDatabase } from '../../base/files/temporary-database.ts';

/**
 * How a row differs from the book. `unsubscribed` contacts stay so, whether other fields change or not. `skipped`
 * are not in the book, and their row has no consent although a column asks for it: they are left out.
 */
export type ComparedOutcome = 'new' | 'changed' | 'unchanged' | 'unsubscribed' | 'skipped';

/** A row that is not sent. */
export interface LeftOutRow {
  readonly row: number;
  readonly email: string;
  /** `unchanged` and `unsubscribed` are contacts that the book has as the row says, or all but the subscription. */
  readonly outcome: 'invalid' | 'policy' | 'duplicate' | 'unchanged' | 'unsubscribed' | 'skipped';
  /** Why; for a contact that needs no change, its id. */
  readonly note: string;
  readonly refusal?: Pick<PolicyRefusal, 'rule' | 'place'> | undefined;
}

/** A contact as an import sends it: a new one, or the changed fields. */
export interface ImportedContact {
  /** Present if the contact is changed by a separate PATCH. */
  readonly id?: string;
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly subscribed?: boolean | undefined;
  readonly properties?: Readonly<Record<string, string>>;
}

/**
 * How far contacts are. `ready` are to be sent, `taken` are about to be. `begun` had no response, `unknown` were waited
 * for in vain by an earlier import, `queued` were accepted and are not in the book yet, `there` are.
 */
export type ContactState =
  | 'ready'
  | 'taken'
  | 'begun'
  | 'unknown'
  | 'queued'
  | 'there'
  | 'rejected';

/** A row that is sent. `note` is the contact's id once it is there, or why it was rejected. */
type PartRow = readonly [row: number, email: string, kind: ComparedOutcome, note?: string];

/** What one request sends. */
export interface ContactPart {
  readonly id: number;
  /** Whether it is one contact that is changed by a request of its own, which sends no email. */
  readonly alone: boolean;
  /** Whether an earlier import sent it. */
  readonly earlier: boolean;
  readonly size: number;
  /** The contacts as a JSON array. */
  readonly json: string;
  /** Their rows, as JSON. */
  readonly rows: string;
}

/** A contact of a part, and its row. */
export interface RowContact {
  readonly row: number;
  readonly contact: ImportedContact;
}

/** A row, with how far its contact is; `left out` if it is not sent at all. */
export interface ImportRow {
  readonly said: readonly [
    row: number,
    email: string,
    kind: ComparedOutcome | LeftOutRow['outcome'],
    note?: string | null,
  ];
  readonly state: ContactState | 'left out';
  readonly refusal: string | undefined;
}

/** The largest request, in bytes, so that large properties do not make one that every service rejects. */
const largestRequest = 8 * 1024 * 1024;

export type Parts = ReturnType<typeof createParts>;

/**
 * What an import sends, and what is known of each row, while the process runs, in a temporary database.
 */
export function createParts() {
  const database = createTemporaryDatabase(`
    CREATE TABLE part (
      id INTEGER PRIMARY KEY,
      state TEXT NOT NULL,
      alone INTEGER NOT NULL,
      earlier INTEGER NOT NULL,
      splits INTEGER NOT NULL,
      size INTEGER NOT NULL,
      rows TEXT NOT NULL,
      json TEXT NOT NULL
    ) STRICT;
    CREATE INDEX part_state ON part (state, splits DESC);
    CREATE TABLE left_out (
      row INTEGER PRIMARY KEY,
      email TEXT NOT NULL,
      outcome TEXT NOT NULL,
      note TEXT,
      refusal TEXT
    ) STRICT;
  `);
  const columns = 'state, alone, earlier, splits, size, rows, json';
  const insert = database.prepare(`INSERT INTO part (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const leave = database.prepare('INSERT INTO left_out VALUES (?, ?, ?, ?, ?)');
  const next = database.prepare(
    "SELECT * FROM part WHERE state = 'ready' ORDER BY splits DESC, id LIMIT 1",
  );
  const byId = database.prepare('SELECT * FROM part WHERE id = ?');
  const setState = database.prepare('UPDATE part SET state = ? WHERE id = ?');
  const keepOnly = database.prepare('UPDATE part SET size = ?, rows = ?, json = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM part WHERE id = ?');
  const sizes = database.prepare('SELECT state, sum(size) AS size FROM part GROUP BY state');
  const open = new Map<string, OpenPart>();
  const finish = (key: string, { kind, rows, contacts }: OpenPart) => {
    const { state, alone } = kind;
    const json = `[${contacts.join()}]`;
    const earlier = Number(state !== 'ready');
    insert.run(state, Number(alone), earlier, 0, contacts.length, JSON.stringify(rows), json);
    open.delete(key);
  };
  const set = (id: number, state: ContactState) => void setState.run(state, id);
  const found = (id: number): ContactPart | undefined => toPart(byId.get(id));
  return {
    /** Adds a contact that is to be sent, or that an earlier import sent; by `json` alone or with others. */
    add(row: PartRow, json: string, kind: PartKind): void {
      const key = kind.alone ? 'alone' : kind.state;
      const bytes = Buffer.byteLength(json) + 1;
      const full = open.get(key);
      if (full !== undefined && full.bytes + bytes > largestRequest) finish(key, full);
      const part = open.get(key) ?? { kind, rows: [], contacts: [], bytes: 2 };
      open.set(key, part);
      part.rows.push(row);
      part.contacts.push(json);
      part.bytes += bytes;
      if (kind.alone || part.rows.length === limits.contactsPerBulk) finish(key, part);
    },
    leaveOut({ row, email, outcome, note, refusal }: LeftOutRow): void {
      leave.run(row, email, outcome, note, refusal ? JSON.stringify(refusal) : null);
    },
    /** To be called after the last contact. */
    end(): void {
      for (const [key, part] of open) finish(key, part);
    },
    /** How many contacts are in one of these states, and in how many requests. */
    count(...states: readonly ContactState[]) {
      const all = database.prepare(
        'SELECT total(size) AS contacts, count(*) AS requests FROM part WHERE state IN (SELECT value FROM json_each(?))',
      );
      const { contacts, requests } = all.get(JSON.stringify(states)) ?? {};
      return { contacts: Number(contacts), requests: Number(requests) };
    },
    /** How many contacts an earlier import sent that may still arrive; not those that it waited for in vain. */
    earlier(): number {
      const all = database.prepare(
        "SELECT total(size) AS size FROM part WHERE earlier = 1 AND state IN ('begun', 'queued')",
      );
      return Number(all.get()?.size);
    },
    /** How many contacts are ready to be sent together, in requests that may mail them. */
    readyTogether(): number {
      const together = database.prepare(
        "SELECT total(size) AS size FROM part WHERE state = 'ready' AND alone = 0",
      );
      return Number(together.get()?.size);
    },
    counts(): Readonly<Partial<Record<ContactState, number>>> {
      return Object.fromEntries(
        sizes.all().map(({ state, size }) => [String(state), Number(size)]),
      );
    },
    /** The next part to send, in the order of the file. Of parts that were split, the smallest come first. */
    next: (): ContactPart | undefined => toPart(next.get()),
    find: found,
    idsOf(...states: readonly ContactState[]): number[] {
      return states.flatMap((state) =>
        database
          .prepare('SELECT id FROM part WHERE state = ? ORDER BY id')
          .all(state)
          .map(({ id }) => Number(id)),
      );
    },
    set,
    /** Makes contacts that an earlier import sent, and that did not arrive, ready to be sent again. */
    sendAgain(): void {
      database.exec(
        "UPDATE part SET state = 'ready', earlier = 0 WHERE earlier = 1 AND state <> 'there'",
      );
    },
    /** Takes some rows out of a part, with a note for each; the others stay in it. Returns how many. */
    takeOut(id: number, state: 'there' | 'rejected', notes: ReadonlyMap<number, string>): number {
      const part = found(id);
      if (part === undefined) return 0;
      const [out, rest]: [PartRow[], PartRow[]] = [[], []];
      const kept: unknown[] = [];
      const contacts = JSON.parse(part.json) as unknown[];
      for (const [index, one] of rowsOfPart(part).entries()) {
        const note = notes.get(one[0]);
        if (note === undefined) {
          rest.push(one);
          kept.push(contacts[index]);
        } else out.push([one[0], one[1], one[2], note]);
      }
      if (out.length === 0) return 0;
      insert.run(state, 0, 0, 0, out.length, JSON.stringify(out), '[]');
      if (rest.length === 0) remove.run(id);
      else keepOnly.run(rest.length, JSON.stringify(rest), JSON.stringify(kept), id);
      return out.length;
    },
    /** Splits a part into two, which are ready. */
    halve({ id, rows, json, size }: ContactPart): void {
      const [allRows, contacts] = [JSON.parse(rows) as PartRow[], JSON.parse(json) as unknown[]];
      const splits = Number(byId.get(id)?.splits) + 1;
      const half = Math.ceil(size / 2);
      remove.run(id);
      for (const [from, to] of [[0, half] as const, [half, size] as const]) {
        const some = [allRows, contacts].map((all) => JSON.stringify(all.slice(from, to)));
        insert.run('ready', 0, 0, splits, to - from, ...some);
      }
    },
    /** Numbers of rows that are left out, by outcome. */
    leftOut(): ReadonlyMap<string, number> {
      const counts = database.prepare(
        'SELECT outcome, count(*) AS rows FROM left_out GROUP BY outcome',
      );
      return new Map(counts.all().map(({ outcome, rows }) => [String(outcome), Number(rows)]));
    },
    /** All rows in the order of the file; only those of contacts that are not there. */
    rows: (): Generator<ImportRow> =>
      toRows(database.prepare(`${sent} UNION ALL ${left} ORDER BY row`)),
    notThere: (): Generator<ImportRow> =>
      toRows(database.prepare(`${sent} WHERE part.state <> 'there' ORDER BY row`)),
    close: () => database.close(),
  };
}

/** How a contact is sent: `ready`, or how far it is if an earlier import sent it. */
interface PartKind {
  readonly state: 'ready' | 'begun' | 'unknown' | 'queued';
  readonly alone: boolean;
}

interface OpenPart {
  readonly kind: PartKind;
  readonly rows: PartRow[];
  readonly contacts: string[];
  bytes: number;
}

const sent = `SELECT json_extract(one.value, '$[0]') AS row, one.value AS said, part.state AS state, NULL AS refusal
  FROM part, json_each(part.rows) AS one`;
const left = "SELECT row, json_array(row, email, outcome, note), 'left out', refusal FROM left_out";

type SqlRow = Readonly<Record<string, unknown>>;

function toPart(row: SqlRow | undefined): ContactPart | undefined {
  if (row === undefined) return undefined;
  return {
    id: Number(row.id),
    alone: row.alone === 1,
    earlier: row.earlier === 1,
    size: Number(row.size),
    rows: String(row.rows),
    json: String(row.json),
  };
}

function* toRows(statement: { iterate(): Iterable<SqlRow> }): Generator<ImportRow> {
  for (const { said, state, refusal } of statement.iterate()) {
    yield {
      // Written by `createParts`.
      said: JSON.parse(String(said)) as ImportRow['said'],
      state: String(state) as ImportRow['state'],
      refusal: refusal === null ? undefined : String(refusal),
    };
  }
}

/** The rows of a part, in the order of its contacts. */
export function rowsOfPart({ rows }: Pick<ContactPart, 'rows'>): readonly PartRow[] {
  return JSON.parse(rows) as PartRow[];
}

/** The contacts of a part, with their rows. */
export function contactsOf(part: Pick<ContactPart, 'rows' | 'json'>): RowContact[] {
  // Written by `createComparison`.
  const contacts = JSON.parse(part.json) as ImportedContact[];
  return rowsOfPart(part).flatMap(([row], index) => {
    const contact = contacts[index];
    return contact === undefined ? [] : [{ row, contact }];
  });
}
