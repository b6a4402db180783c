import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { EmailFilter } from '../../email/period.ts';
import { UsageError } from '../../errors.ts';
import { cannotBeWritten, isFileError } from '../../files/file-errors.ts';
import { type ExportPlace, unfinished } from './export-place.ts';

/** How far an export is. It is written after each page, so that a killed one resumes behind it. */
export interface ExportState {
  /** What was asked for. Only the same export resumes. */
  readonly asked: string;
  readonly filter: EmailFilter;
  /** Bytes of the lines that are certain. */
  readonly bytes: number;
  /** When the last email was created, ISO 8601, and the ids of all that were created then and are done. */
  readonly last: string | undefined;
  readonly ids: readonly string[];
  readonly written: number;
  readonly changed: number;
  readonly scanned: number;
}

/** Writes an export piece by piece, with its state, and completes it. */
export interface ExportWriter {
  add(lines: string, state: Omit<ExportState, 'bytes'>): void;
  /** Puts everything at its place. */
  finish(): void;
  /** After a failure: whether there is something to resume. Removes what is left otherwise. */
  isWorthKeeping(): boolean;
}

/** The state of an export that stopped; undefined if there is none. Throws a `UsageError` if it was another one. */
export function stoppedExport(place: ExportPlace, asked: string): ExportState | undefined {
  const { state, lines } = unfinished(place.target);
  if (!existsSync(state)) return undefined;
  // Written by `add`.
  const found = JSON.parse(readFileSync(state, 'utf8')) as ExportState;
  if (found.asked === asked) return found;
  throw new UsageError(
    `${place.name} has an incomplete export that was started with other flags.`,
    {
      hint: `To begin anew, delete ${lines} and ${state}.`,
    },
  );
}

/** Opens the files of an export: as they were after its last page, or new. */
export function exportWriter(
  place: ExportPlace,
  header: string,
  before: ExportState | undefined,
  appends: boolean,
): ExportWriter {
  const { lines, state } = unfinished(place.target);
  const attempt = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw isFileError(error) ? cannotBeWritten(place.name, error, '--output') : error;
    }
  };
  attempt(() => {
    if (before === undefined) writeFileSync(lines, header, { mode: 0o600 });
    else truncateSync(lines, before.bytes);
  });
  let bytes = before?.bytes ?? Buffer.byteLength(header);
  return {
    add(text, now) {
      attempt(() => {
        const file = openSync(lines, 'a', 0o600);
        try {
          bytes += writeSync(file, text);
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        // Replaced at once, because half of it would be of no use.
        writeFileSync(`${state}.new`, JSON.stringify({ ...now, bytes }), { mode: 0o600 });
        renameSync(`${state}.new`, state);
      });
    },
    isWorthKeeping() {
      const isKept = existsSync(state);
      if (!isKept) rmSync(lines, { force: true });
      return isKept;
    },
    finish() {
      attempt(() => {
        if (appends && statSync(place.target, { throwIfNoEntry: false }) !== undefined) {
          append(lines, place.target);
          rmSync(lines);
        } else renameSync(lines, place.target);
        rmSync(state, { force: true });
      });
    },
  };
}

/** Appends a file to another, which stays as it is if that fails. */
function append(from: string, to: string): void {
  const together = `${from}.new`;
  copyFileSync(to, together);
  const [source, target] = [openSync(from, 'r'), openSync(together, 'a')];
  try {
    const piece = Buffer.alloc(1024 * 1024);
    for (let size = readSync(source, piece); size > 0; size = readSync(source, piece)) {
      writeSync(target, piece, 0, size);
    }
    fsyncSync(target);
  } finally {
    closeSync(source);
    closeSync(target);
  }
  renameSync(together, to);
}
