/**
 * Raised when the tables change. A journal of another version is never written to: this program could not
 * tell what has been sent.
 */
export const journalVersion = 2;

/**
 * `chunk` is up to a hundred emails with the same template, or with none: their rows (JSON `[[row, address],
 * …]`), and whether it is one email in a request of its own (`alone`). Chunks are numbered in the order of
 * their first rows; the rows of several chunks may interleave.
 *
 * `body` is the request body of a chunk, compressed, and its `size` in bytes. It is kept because a request that
 * is repeated under its idempotency key must be identical, and a template may use the time of day. It has a
 * checksum of its own. A run that can send nothing any more has none.
 *
 * `part` is what one request sends: a whole chunk (`rows` is null), or some emails of it (JSON positions in
 * the chunk). States:
 *
 * - `ready`: not sent.
 * - `begun`: sent, or about to be; no response yet.
 * - `short`: the response has fewer ids than emails (`ids`); which emails they belong to is not known yet.
 * - `accepted`: `ids` has an id for each email.
 * - `refused`: rejected for good; `problem` says why.
 * - `split`: replaced by smaller parts.
 * - `unknown`: it may have been sent, and nobody can tell (`problem`, or too old to be repeated).
 *
 * `misses`: how often the service accepted other emails of a request and not these. `begun_at`, `service_at`:
 * when it was begun by this machine's and by the service's clock, in milliseconds since 1970. `settled`: 1 if
 * others were accepted after or beside it, so that a rejection is about these emails. `conflict`: 1 if a 409
 * showed that somebody else uses its key.
 *
 * `left_out` holds rows that never became emails; `refusal` is the policy rule that forbids one, and its place
 * (JSON). `sum` is a checksum of its row, because SQLite does not notice a change within a value.
 */
const tables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER)
    STRICT, WITHOUT ROWID;
  CREATE TABLE chunk (
    number INTEGER PRIMARY KEY,
    rows TEXT NOT NULL,
    alone INTEGER NOT NULL,
    sum INTEGER
  ) STRICT;
  CREATE TABLE body (chunk INTEGER PRIMARY KEY, size INTEGER NOT NULL, compressed BLOB NOT NULL) STRICT;
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
  CREATE TABLE left_out (
    row INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    reason TEXT NOT NULL,
    problem TEXT NOT NULL,
    refusal TEXT,
    sum INTEGER
  ) STRICT;
`;

/** The columns of each table that `sum` covers; the first is its key. */
export const summed = [
  ['meta', ['name', 'value']],
  ['chunk', ['number', 'rows', 'alone']],
  [
    'part',
    [
      ...['id', 'chunk', 'rows', 'size', 'attempt', 'misses', 'state', 'settled', 'conflict'],
      ...['begun_at', 'service_at', 'ids', 'problem'],
    ],
  ],
  ['left_out', ['row', 'address', 'reason', 'problem', 'refusal']],
] as const;

const seals = summed.flatMap(([table, columns]) =>
  ['INSERT', 'UPDATE'].map(
    (change) => `
      CREATE TRIGGER ${table}_${change} AFTER ${change} ON ${table} BEGIN
        UPDATE ${table} SET sum = checksum(${columns.join()}) WHERE ${columns[0]} = new.${columns[0]};
      END;`,
  ),
);

/** Every connection that writes must define the function `checksum`, of any number of values. */
export const journalSchema = [tables, ...seals].join('');
