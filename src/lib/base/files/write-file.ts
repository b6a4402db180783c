import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  createWriteStream,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../../../shared/attempt.ts';
import type { System } from '../system/system.ts';
import { cannotBeWritten, isFileError } from './file-errors.ts';

interface WriteOptions {
  readonly signal: AbortSignal;
  /** Part of the temporary file's name, so that a later run of the same kind cleans up. */
  readonly writer: string;
  readonly sleep: System['sleep'];
  /** Called when a named pipe has no reader yet. */
  readonly waiting?: (() => void) | undefined;
}

/** Milliseconds between two checks whether a named pipe has a reader. */
const pauseForReader = 50;

/**
 * Writes a file that only this user can read. It replaces an existing file only once it is
 * complete. Anything but a file, such as a pipe, is written to directly. Throws Node's errors.
 */
async function writePrivateFile(
  text: Iterable<string>,
  target: string,
  { signal, writer, sleep, waiting }: WriteOptions,
): Promise<void> {
  const there = statSync(target, { throwIfNoEntry: false });
  // A terminal, a pipe, /dev/null: a file must not replace them.
  if (there !== undefined && !there.isFile()) {
    const held = there.isFIFO() ? await withReader(target, { signal, sleep, waiting }) : undefined;
    const stream = createWriteStream(target);
    if (held !== undefined) stream.once('ready', () => closeSync(held));
    await pipeline(Readable.from(text), stream, { signal });
    return;
  }
  const path = there === undefined ? target : realpathSync(target);
  // The name depends only on the path: the next process finds what a killed one left, and writers
  // of other files do not interfere.
  const which = createHash('sha256').update(path).digest('hex').slice(0, 12);
  const temporary = join(dirname(path), `.mailer-${writer}-${which}.tmp`);
  try {
    rmSync(temporary, { force: true });
    // Flushed to disk before it is renamed: after a power failure, the name must not belong to an
    // empty file.
    const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(Readable.from(text), file, { signal });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Opens a named pipe once it has a reader. A blocking open would ignore all signals while it waits.
 */
async function withReader(
  pipe: string,
  { signal, sleep, waiting }: Omit<WriteOptions, 'writer'>,
): Promise<number> {
  for (let looks = 1; ; looks++) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if (!isFileError(error) || error.code !== 'ENXIO') throw error;
    }
    if (looks === 1) waiting?.();
    await sleep(pauseForReader, signal);
  }
}

/**
 * The same for a path from the command line. Throws a `UsageError` that says why it cannot be
 * written.
 */
export async function writeNamedFile(
  text: Iterable<string>,
  path: string,
  { cwd, signal, sleep }: Pick<System, 'cwd' | 'signal' | 'sleep'>,
  { flag, ...options }: { readonly flag?: string } & Pick<WriteOptions, 'writer' | 'waiting'>,
): Promise<void> {
  try {
    await writePrivateFile(text, resolve(cwd, path), { signal, sleep, ...options });
  } catch (error) {
    signal.throwIfAborted();
    if (!isFileError(error)) throw error;
    throw cannotBeWritten(path, error, flag);
  }
}

/** Whether a path from the command line is an existing file, which writing would replace. */
export function isExistingFile(path: string, { cwd }: Pick<System, 'cwd'>): boolean {
  return attempt(() => statSync(resolve(cwd, path)).isFile(), false);
}

/** Joins lines into larger pieces, because each write to a stream is expensive. */
export function* joinedLines(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 64 * 1024) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}
