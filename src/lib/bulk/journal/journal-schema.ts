/**
 * Raised when tables change. A journal of another version is never written to: this program could
 * not tell what in it has been sent.
 */
export const journalVersion = 4;

/**
 * `chunk` is up to a hundred emails with the same template, or none: their rows (JSON
 * `[[row, address], …]`), whether it is one email that is sent by itself (`alone`), and where their
 * request body stands in the file `bodies`. Numbers are in the order of the first rows; the rows of
 * several chunks may interlock.
 *
 * `part` is what one request sends: a whole chunk (`rows` is null), or some emails of it (JSON positions
 * in the chunk). States:
 *
 * - `ready`: not sent.
 * - `begun`: sent, or about to be; no response yet.
 * - `short`: the response has fewer ids than emails (`ids`); which emails they are is not known yet.
 * - `accepted`: `ids` has an id for each email.
 * - `refused`: rejected for good; `problem` says why.
 * - `split`: replaced by smaller parts.
 * - `unknown`: nobody can tell whether it was sent (`problem`, or too old to be repeated).
 *
 * `misses`: how often the service accepted others of a request and not these. `begun_at`, `service_at`:
 * when it was begun by this machine's and by the service's clock, in milliseconds since 1970. `settled`:
 * 1 where others were accepted after or beside it, so that a rejection is about these emails. `conflict`:
 * 1 where a 409 showed that somebody else uses its key.
 *
 * `invalid` holds rows that never became emails; `refusal` is the rule of a policy that did not allow one,
 * and its place (JSON). `sum` is a checksum of its row, as SQLite itself does
 * not notice a change within a value.
 */
const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER)
    STRICT, WITHOUT ROWID;
  CREATE TABLE chunk (
    number INTEGER PRIMARY KEY,
    rows TEXT NOT NULL,
    alone INTEGER NOT NULL,
    position INTEGER NOT NULL,
    length INTEGER NOT NULL,
    sum INTEGER
  ) STRICT;
  CREATE TABLE part (
    id INTEGER PRIMARY KEY,
    chunk INTEGER NOT NULL REFERENCES chunk (number),
    rows TEXT,
    size INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    misses INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    settled INTEGER NOT NULL DEFAULT 0,
    conflict INTEGER NOT NULL DEFAULT 0,
    begun_at INTEGER,
    service_at INTEGER,
    ids TEXT,
    problem TEXT,
    sum INTEGER
  ) STRICT;
  CREATE INDEX part_state ON part (state, settled, chunk, id);
  CREATE INDEX part_chunk ON part (chunk);
  CREATE TABLE invalid (
    row INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    reason TEXT NOT NULL,
    problem TEXT NOT NULL,
    refusal TEXT,
    sum INTEGER
  ) STRICT;
`;

/** The columns of each table that `sum` is over; the first is its key. */
export const summed = [
  ['meta', ['name', 'value']],
  ['chunk', ['number', 'rows', 'alone', 'position', 'length']],
  [
    'part',
    [
      ...['id', 'chunk', 'rows', 'size', 'attempt', 'misses', 'state', 'settled', 'conflict'],
      ...['begun_at', 'service_at', 'ids', 'problem'],
    ],
  ],
  ['invalid', ['row', 'address', 'reason', 'problem', 'refusal']],
] as const;

const seals = summed.flatMap(([table, columns]) =>
  ['INSERT', 'UPDATE'].map(
    (change) => `
      CREATE TRIGGER ${table}_${change} AFTER ${change} ON ${table} BEGIN
        UPDATE ${table} SET sum = checksum(${columns.join()}) WHERE ${columns[0]} = new.${columns[0]};
      END;`,
  ),
);

/** Needs the function `checksum`, of any number of values, in each connection that writes. */
export const journalSchema = [tables, ...seals].join('');
