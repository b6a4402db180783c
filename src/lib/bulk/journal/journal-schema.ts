/**
 * Raised when tables change. A journal of another version is never written to: this program could
 * not tell what in it has been sent.
 */
export const journalVersion = 3;

/**
 * `chunk` holds what was prepared: up to a hundred emails, which rows they are (JSON
 * `[[row, address], …]`), whether it is one that goes out by itself (`alone` is 1), and where their
 * request body stands in the file `bodies`. All of a chunk have the same template, or none. Numbers
 * are in the order of the first rows; the rows of several chunks may interlock.
 *
 * `part` is what is sent: a whole chunk (`rows` is null), or some emails of it after the service
 * refused the rest (JSON positions in the chunk). States:
 *
 * - `ready`: not sent.
 * - `begun`: sent, or about to be; without an answer yet.
 * - `short`: answered with fewer ids than emails, which are in `ids`; which emails they are is to be
 *   found out.
 * - `accepted`: `ids` has an id for each email.
 * - `refused`: the service refused it for good; `problem` says why.
 * - `split`: refused, or answered short, and replaced by smaller parts.
 * - `unknown`: begun so long ago that the service no longer recognises a repetition; or answered
 *   short, and nobody can tell which emails the ids are of (`problem`); or answered 500 on all tries,
 *   because of what is in it as it seems (`problem`).
 *
 * `misses` is how often the service has taken others of a request and not these.
 *
 * `begun_at` and `service_at` are when a part was begun, by the clock of this machine and by the
 * service's, in milliseconds since 1970.
 *
 * `settled` is 1 for emails that the service refused and then accepted others, or left out of a request
 * of which it took others, so that it was about them. They may be `ready` again: a run that is resumed asks once more. `conflict` is 1 once the
 * service has answered 409 to a request none of whose answers were lost: another one has its key.
 *
 * `invalid` holds rows that never became emails.
 *
 * `sum` is a checksum of its row, as SQLite itself does not notice a change within a value.
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
  ['invalid', ['row', 'address', 'reason', 'problem']],
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
