/**
 * Raised when tables change. A journal of another version is never written to: this program could
 * not tell what in it has been sent.
 */
export const journalVersion = 1;

/**
 * `chunk` holds what was prepared: up to a hundred emails, which rows they are (JSON
 * `[[row, address], …]`), and where their request body stands in the file `bodies`.
 *
 * `part` is what is sent: a whole chunk (`rows` is null), or some emails of it after the service
 * refused the rest (JSON positions in the chunk). States:
 *
 * - `ready`: not sent.
 * - `begun`: sent, or about to be; without an answer yet.
 * - `accepted`: `ids` has an id for each email.
 * - `refused`: the service refused it for good; `problem` says why.
 * - `split`: refused, and replaced by smaller parts.
 * - `unknown`: begun so long ago that the service no longer recognises a repetition.
 *
 * `invalid` holds rows that never became emails.
 */
export const journalSchema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE chunk (
    number INTEGER PRIMARY KEY,
    rows TEXT NOT NULL,
    position INTEGER NOT NULL,
    length INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE part (
    id INTEGER PRIMARY KEY,
    chunk INTEGER NOT NULL REFERENCES chunk (number),
    rows TEXT,
    size INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    begun_at INTEGER,
    ids TEXT,
    problem TEXT
  ) STRICT;
  CREATE INDEX part_state ON part (state, chunk, id);
  CREATE INDEX part_chunk ON part (chunk);
  CREATE TABLE invalid (
    row INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    reason TEXT NOT NULL,
    problem TEXT NOT NULL
  ) STRICT;
`;
