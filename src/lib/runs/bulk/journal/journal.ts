import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Moment } from '../../../service/http/clocks.ts';
import type { Counts } from './counts.ts';
import { JournalError } from './journal-error.ts';
import {
  type AcceptedPart,
  type BegunPart,
  type Chunk,
  type LeftOut,
  type NewChunk,
  type Part,
  type PartOutcome,
  type PartState,
  type SmallerPart,
  toChunk,
  toList,
  toMoment,
  toOutcome,
  toPart,
} from './run-parts.ts';

const partColumns = `part.id, part.rows AS positions, part.size, part.attempt, part.misses, part.settled,
  part.conflict, part.begun_at, part.service_at, part.ids, chunk.number, chunk.rows, chunk.alone
  FROM part JOIN chunk ON chunk.number = part.chunk`;

/**
 * What a bulk run has done and not done, in the file at `path`. Every change is one transaction of SQLite in WAL mode, so killing
 * the process at any instant leaves the state before or after it.
 */
export class Journal {
  readonly #database: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
    // A lost response costs a repetition under the same key; a lost `begin` could send an email twice, so only
    // that waits for the disk.
    database.exec('PRAGMA synchronous = NORMAL');
  }

  meta(name: string): string | undefined {
    const row = this.#sql('SELECT value FROM meta WHERE name = ?').get(name);
    return row === undefined ? undefined : String(row.value);
  }

  setMeta(name: string, value: string): void {
    this.#sql('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
  }

  addChunk({ number, rows, alone, body }: NewChunk): void {
    const chunk = this.#sql('INSERT INTO chunk (number, rows, alone) VALUES (?, ?, ?)');
    chunk.run(number, JSON.stringify(rows), Number(alone));
    const insert = this.#sql('INSERT INTO body (chunk, size, compressed) VALUES (?, ?, ?)');
    insert.run(number, body.byteLength, zstdCompressSync(body, { params }));
    this.#addPart({ chunk: number, size: rows.length, state: 'ready' });
  }

  addLeftOut({ row, address, reason, problem, refusal }: LeftOut): void {
    const add = this.#sql(
      'INSERT INTO left_out (row, address, reason, problem, refusal) VALUES (?, ?, ?, ?, ?)',
    );
    add.run(row, address, reason, problem, refusal ? JSON.stringify(refusal) : null);
  }

  /** Begins a transaction; what is done up to `commit` is one change. */
  open(): void {
    this.#database.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.#database.exec('COMMIT');
  }

  /**
   * Up to `most` ready parts that are not in `except`, in the order of the input. In a chunk that was
   * split, the smallest come first, to find the fault soon. Settled ones come last: they are the least
   * likely to be accepted.
   */
  ready(most: number, except: ReadonlySet<number> = new Set()): Part[] {
    return this.#sql(
      `SELECT ${partColumns} WHERE state = 'ready' ORDER BY part.settled, part.chunk, part.id DESC LIMIT ?`,
    )
      .all(most + except.size)
      .map(toPart)
      .filter(({ id }) => !except.has(id))
      .slice(0, most);
  }

  /** How many are ready in requests that may have several. */
  readyTogether(): number {
    const together = this.#sql(
      `SELECT total(part.size) AS size FROM part JOIN chunk ON chunk.number = part.chunk
       WHERE state = 'ready' AND chunk.alone = 0`,
    );
    return Number(together.get()?.size);
  }

  /** Marks parts as begun `now`, and others as accepted; safe on disk, even if the power fails. */
  begin(parts: readonly number[], now: Moment, answers: readonly AcceptedPart[]): void {
    this.#durably(() => {
      this.#accept(answers);
      const begun = this.#sql(
        "UPDATE part SET state = 'begun', begun_at = ?, service_at = ? WHERE id = ?",
      );
      for (const id of parts) begun.run(now.here, now.service ?? null, id);
    });
  }

  /** Records the ids of a short response, safe on disk: only they show which emails were created. */
  short(part: number, ids: readonly string[]): void {
    // Usually not needed: the next `begin` writes this to the disk too, and until then a repetition would
    // return the same ids. But not after 24 hours.
    this.#durably(() => {
      const short = this.#sql("UPDATE part SET state = 'short', ids = ? WHERE id = ?");
      short.run(JSON.stringify(ids), part);
    });
  }

  /** The parts that were begun and have no response or a short one. */
  unanswered(): BegunPart[] {
    return this.#sql(`SELECT ${partColumns} WHERE state IN ('begun', 'short') ORDER BY part.id`)
      .all()
      .map((row) => ({
        ...toPart(row),
        begun: toMoment(row),
        isConflict: row.conflict === 1,
        ids: toList<string>(row.ids),
      }));
  }

  /** Makes begun parts ready again, once it is certain that the service does not have them. */
  giveBack(parts: readonly number[]): void {
    this.#together(() => {
      const back = this.#sql(
        `UPDATE part SET state = 'ready', begun_at = NULL, service_at = NULL
         WHERE id = ? AND state = 'begun'`,
      );
      for (const id of parts) back.run(id);
    });
  }

  accept(answers: readonly AcceptedPart[]): void {
    this.#together(() => this.#accept(answers));
  }

  /** Marks a part that may have been sent as unknown, for a reason: it is not retried. */
  giveUp(part: number, problem: string): void {
    this.#sql("UPDATE part SET state = 'unknown', problem = ? WHERE id = ?").run(problem, part);
  }

  refuse(part: number, problem: string): void {
    this.#sql("UPDATE part SET state = 'refused', problem = ? WHERE id = ?").run(problem, part);
  }

  /** Marks everything refused so far as settled, because emails were accepted after it. */
  settleRefused(): void {
    this.#sql("UPDATE part SET settled = 1 WHERE state = 'refused' AND settled = 0").run();
  }

  /** Records a 409 for a part that lost no response: somebody else uses its key. */
  conflict(part: number): void {
    this.#sql('UPDATE part SET conflict = 1 WHERE id = ?').run(part);
  }

  /** Replaces a part by smaller ones; those without emails are left out. */
  split({ id, chunk, attempt, misses, settled }: Part, smaller: readonly SmallerPart[]): void {
    const like = { chunk: chunk.number, attempt, misses, settled };
    this.#together(() => {
      this.#sql("UPDATE part SET state = 'split' WHERE id = ?").run(id);
      for (const one of smaller) {
        const size = one.positions.length;
        if (size > 0) this.#addPart({ ...like, ...one, size });
      }
    });
  }

  /** Marks begun parts without a response as unknown if `isSo` is true for them. */
  expire(isSo: (begun: Moment, size: number) => boolean): void {
    const begun = this.#sql(
      "SELECT id, size, begun_at, service_at FROM part WHERE state = 'begun'",
    );
    const old = begun.all().filter((row) => isSo(toMoment(row), Number(row.size)));
    // Without a write, no permission to write is needed.
    if (old.length === 0) return;
    this.#together(() => {
      const expire = this.#sql("UPDATE part SET state = 'unknown' WHERE id = ?");
      for (const { id } of old) expire.run(Number(id));
    });
  }

  /** Makes unknown parts ready again, to be sent under new keys. */
  resendUnknown(): void {
    this.#sql(
      `UPDATE part SET state = 'ready', begun_at = NULL, service_at = NULL, conflict = 0,
       attempt = attempt + 1 WHERE state = 'unknown'`,
    ).run();
  }

  /**
   * Makes refused emails ready again: in one part per chunk, which is the whole chunk if nothing of it was
   * sent, and another part for the settled ones.
   */
  reopenRefused(): void {
    this.#together(() => {
      const divided = this.#sql(
        "SELECT DISTINCT chunk FROM part WHERE state IN ('refused', 'split')",
      );
      for (const { chunk } of divided.all()) {
        this.#reopenChunk(Number(chunk), 0);
        this.#reopenChunk(Number(chunk), 1);
      }
    });
  }

  counts(): Counts {
    const rows = this.#sql('SELECT state, sum(size) AS emails FROM part GROUP BY state').all();
    const sizes = new Map(rows.map(({ state, emails }) => [state, Number(emails)]));
    const of = (state: PartState) => sizes.get(state) ?? 0;
    return {
      ...{ ready: of('ready'), begun: of('begun') + of('short') },
      ...{ accepted: of('accepted'), refused: of('refused'), unknown: of('unknown') },
    };
  }

  /** The id of the last email that was accepted, in the order of the input. */
  lastAccepted(): string | undefined {
    const part = this.#sql(
      "SELECT ids FROM part WHERE state = 'accepted' ORDER BY chunk DESC, id DESC LIMIT 1",
    ).get();
    return toList<string>(part?.ids ?? null)?.at(-1);
  }

  /** When its first and last request were begun, by the service's clock if that is known; 0 if none was. */
  begunBetween(): { readonly first: number; readonly last: number } {
    const begun = 'coalesce(service_at, begun_at)';
    const row = this.#sql(`SELECT min(${begun}) AS first, max(${begun}) AS last FROM part`).get();
    return { first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) };
  }

  /** Chunks in input order, each with the state of its parts. */
  *outcomes(): Generator<{ readonly chunk: Chunk; readonly parts: readonly PartOutcome[] }> {
    const parts = this.#database.prepare(
      `SELECT rows AS positions, size, state, ids, problem FROM part
       WHERE chunk = ? AND state <> 'split'`,
    );
    for (const row of this.#database.prepare('SELECT * FROM chunk ORDER BY number').iterate()) {
      const chunk = toChunk(row);
      yield { chunk, parts: parts.all(chunk.number).map(toOutcome) };
    }
  }

  *leftOut(): Generator<LeftOut> {
    for (const row of this.#database.prepare('SELECT * FROM left_out ORDER BY row').iterate()) {
      yield {
        row: Number(row.row),
        address: String(row.address),
        // One of the reasons that addLeftOut writes.
        reason: String(row.reason) as LeftOut['reason'],
        problem: String(row.problem),
        ...(row.refusal === null ? {} : { refusal: JSON.parse(String(row.refusal)) }),
      };
    }
  }

  /** The emails of a chunk as a JSON array, in UTF-8. Throws a `JournalError` if it is missing or damaged. */
  body({ number }: Chunk): Buffer {
    const row = this.#sql('SELECT size, compressed FROM body WHERE chunk = ?').get(number);
    if (!(row?.compressed instanceof Uint8Array))
      throw new JournalError(this.#path, 'is missing a request');
    try {
      return decompress(row.compressed, Number(row.size));
    } catch (error) {
      throw new JournalError(this.#path, 'has a damaged request', error);
    }
  }

  hasBodies(): boolean {
    return this.#sql('SELECT chunk FROM body LIMIT 1').get() !== undefined;
  }

  /** Removes all bodies; the file becomes smaller. */
  removeBodies(): void {
    this.#database.exec('DELETE FROM body; VACUUM');
  }

  /** From now on, each change can be undone, and is kept. */
  record(): void {
    this.#database.exec('PRAGMA journal_mode = WAL');
  }

  close(): void {
    this.#database.close();
  }

  #sql(text: string): StatementSync {
    const known = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.set(text, known);
    return known;
  }

  #together(work: () => void): void {
    this.open();
    try {
      work();
      this.commit();
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #durably(work: () => void): void {
    this.#database.exec('PRAGMA synchronous = FULL');
    try {
      this.#together(work);
    } finally {
      this.#database.exec('PRAGMA synchronous = NORMAL');
    }
  }

  #accept(answers: readonly AcceptedPart[]): void {
    const accepted = this.#sql("UPDATE part SET state = 'accepted', ids = ? WHERE id = ?");
    for (const { part, ids } of answers) accepted.run(JSON.stringify(ids), part);
  }

  #addPart(part: NewPart): void {
    const { chunk, positions, size, attempt = 0, misses = 0, settled = false } = part;
    const { state, ids, problem = null } = part;
    const [rows = null, idList = null] = [positions, ids].map(
      (list) => list && JSON.stringify(list),
    );
    this.#sql(
      `INSERT INTO part (chunk, rows, size, attempt, misses, settled, state, ids, problem)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(chunk, rows, size, attempt, misses, Number(settled), state, idList, problem);
  }

  #reopenChunk(chunk: number, settled: 0 | 1): void {
    const which = "chunk = ? AND settled = ? AND state IN ('ready', 'refused')";
    const open = this.#sql(`SELECT * FROM part WHERE ${which} ORDER BY id`).all(chunk, settled);
    if (open.length === 0) return;
    const total = this.#sql(
      "SELECT total(size) AS size FROM part WHERE chunk = ? AND state <> 'split'",
    ).get(chunk);
    const size = open.reduce((sum, row) => sum + Number(row.size), 0);
    const attempt = Math.max(...open.map((row) => Number(row.attempt)));
    // If the rejection was about something else, correcting that may get these accepted: count from 0.
    const misses = settled === 1 ? Math.max(...open.map((row) => Number(row.misses))) : 0;
    const whole = size === Number(total?.size);
    const positions = open.flatMap((row) => toList<number>(row.rows) ?? []).sort((a, b) => a - b);
    this.#sql(`DELETE FROM part WHERE ${which}`).run(chunk, settled);
    if (whole) this.#sql('DELETE FROM part WHERE chunk = ?').run(chunk);
    const kept = { chunk, size, attempt, misses, settled: settled === 1 };
    this.#addPart({ ...kept, positions: whole ? undefined : positions, state: 'ready' });
  }
}

interface NewPart extends Omit<SmallerPart, 'positions'> {
  readonly chunk: number;
  /** Undefined for all emails of the chunk. */
  readonly positions?: readonly number[] | undefined;
  readonly size: number;
}

/**
 * The checksum detects damage before sending. Emails of one template are alike, so the lowest level is
 * enough.
 */
const params = {
  [constants.ZSTD_c_checksumFlag]: 1,
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: 17,
};
/** The smallest output buffer of zlib, and the largest one here, so that a damaged size does no harm. */
const smallestPiece = 64;
const largestPiece = 16 * 1024 * 1024;

/** The body, which has `size` bytes. Throws if it is damaged. */
function decompress(compressed: Uint8Array, size: number): Buffer {
  // One output buffer, so that nothing is copied. zlib adds another when it is full: one byte to spare.
  const chunkSize = Math.min(Math.max(size + 1, smallestPiece), largestPiece);
  return zstdDecompressSync(compressed, { chunkSize });
}
