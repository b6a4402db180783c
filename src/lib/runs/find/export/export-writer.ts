import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
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
export async function exportWriter(
  place: ExportPlace,
  { header, before, appends, monotonic }: WriterOptions,
) {
  const { lines, state } = unfinished(place.target);
  const attempt = async <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw isFileError(error) ? cannotBeWritten(place.name, error, '--output') : error;
    }
  };
  const file = await attempt(() => {
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
    async add(text: string, after: Omit<ExportState, 'bytes'>): Promise<void> {
      await attempt(() => {
        writeFileSync(file, text);
        bytes += Buffer.byteLength(text);
        now = after;
        if (monotonic() - saved >= saveEvery) save();
      });
    },
    /** Ends it before it is complete. Returns whether there is something to resume. */
    async stop(): Promise<boolean> {
      await attempt(() => {
        if (now !== undefined) save();
        closeSync(file);
        if (!existsSync(state)) rmSync(lines, { force: true });
      });
      return existsSync(state);
    },
    async finish(): Promise<void> {
      await attempt(async () => {
        fsyncSync(file);
        closeSync(file);
        // First, so that nothing is added a second time if the process is killed here: the lines are written anew then.
        rmSync(state, { force: true });
        if (appends && existsSync(place.target)) {
          await append(lines, place.target);
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
async function append(from: string, to: string): Promise<void> {
  const together = `${from}.new`;
  copyFileSync(to, together);
  await writeFile(together, createReadStream(from), { flag: 'a', flush: true });
  renameSync(together, to);
}
