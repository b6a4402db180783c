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
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { UsageError } from '../../../base/errors.ts';
import { cannotBeWritten, isFileError } from '../../../base/files/file-errors.ts';
import type { EmailFilter } from '../../../mail/email/period.ts';
import { type ExportPlace, unfinished } from './export-place.ts';

/** How far an export is. */
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

/** Milliseconds between two times that the state is written: a killed export repeats as much. */
const saveEvery = 1000;

/** The state of an export that stopped; undefined if there is none. Throws a `UsageError` if it was another one. */
export function stoppedExport(place: ExportPlace, asked: string): ExportState | undefined {
  const { state, lines } = unfinished(place.target);
  if (!existsSync(state)) return undefined;
  if (!existsSync(lines)) {
    throw new UsageError(
      `The export to ${place.name} stopped, but ${lines} does not exist, so it cannot be resumed.`,
      { hint: `To start over, delete ${state}.` },
    );
  }
  // Written by `add`.
  const found = JSON.parse(readFileSync(state, 'utf8')) as ExportState;
  if (found.asked === asked) return found;
  throw new UsageError(
    `${place.name} has an incomplete export that was started with other flags.`,
    {
      hint: `To start over, delete ${lines} and ${state}.`,
    },
  );
}

/** Opens the files of an export, as they were after its last page, or new, to write it piece by piece with its state. */
export function exportWriter(
  place: ExportPlace,
  { header, before, appends, monotonic }: WriterOptions,
) {
  const { lines, state } = unfinished(place.target);
  const attempt = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw isFileError(error) ? cannotBeWritten(place.name, error, '--output') : error;
    }
  };
  const file = attempt(() => {
    if (before === undefined) writeFileSync(lines, header, { mode: 0o600 });
    else truncateSync(lines, before.bytes);
    return openSync(lines, 'a');
  });
  let bytes = before?.bytes ?? Buffer.byteLength(header);
  let now: Omit<ExportState, 'bytes'> | undefined;
  let saved = monotonic();
  const save = () => {
    fsyncSync(file);
    // Replaced at once, because half of it would be of no use.
    writeFileSync(`${state}.new`, JSON.stringify({ ...now, bytes }), { mode: 0o600 });
    renameSync(`${state}.new`, state);
    saved = monotonic();
  };
  return {
    add(text: string, after: Omit<ExportState, 'bytes'>): void {
      attempt(() => {
        writeFileSync(file, text);
        bytes += Buffer.byteLength(text);
        now = after;
        if (monotonic() - saved >= saveEvery) save();
      });
    },
    /** Ends it before it is complete. Returns whether there is something to resume. */
    stop(): boolean {
      attempt(() => {
        if (now !== undefined) save();
        closeSync(file);
        if (!existsSync(state)) rmSync(lines, { force: true });
      });
      return existsSync(state);
    },
    /** Puts everything at its place. */
    finish(): void {
      attempt(() => {
        fsyncSync(file);
        closeSync(file);
        // First, so that nothing is added a second time if the process is killed here: the lines are written anew then.
        rmSync(state, { force: true });
        if (appends && existsSync(place.target)) {
          append(lines, place.target);
          rmSync(lines);
        } else renameSync(lines, place.target);
      });
    },
  };
}

interface WriterOptions {
  /** What a new file begins with. */
  readonly header: string;
  /** The export that stopped. */
  readonly before: ExportState | undefined;
  /** Whether the target keeps what it has. */
  readonly appends: boolean;
  readonly monotonic: () => number;
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
