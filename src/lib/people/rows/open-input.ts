import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../../base/errors.ts';
import type { createDecoder } from '../../base/input/decoder.ts';
import { whyUnreadable } from '../../base/input/input-files.ts';
import { bytesOf, openFile } from '../../base/input/open-file.ts';
import type { System } from '../../base/system/system.ts';
import type { Context } from '../../command-line/command/context.ts';
import { withBeginning } from './row.ts';

/** What identifies the bytes of an input. */
export interface Fingerprint {
  /** SHA-256 of the bytes as stored, compressed or not, in hex. */
  readonly digest: string;
  readonly bytes: number;
  /** Milliseconds since 1970; undefined for stdin. */
  readonly modified: number | undefined;
}

/** The input of a bulk run, read once from its beginning to its end. */
export type OpenInput = Awaited<ReturnType<typeof openInput>>;

type InputSystem = Pick<System, 'cwd' | 'stdin' | 'signal' | 'sleep' | 'env' | 'platform'>;

/** Opens a file, or stdin for `-`; gzip is recognised by its first bytes (RFC 1952, 2.3.1). */
export async function openInput(
  path: string,
  { system, report, files }: Pick<Context, 'report' | 'files'> & { readonly system: InputSystem },
) {
  const { chunks, bytes, size, fingerprint } = await openBytes(path, system, report);
  const name = path === '-' ? 'stdin' : path;
  const decoder = await import('../../base/input/decoder.ts');
  return {
    /** Its name in messages. */
    name,
    path,
    system,
    /** Its text, in pieces. Throws a `UsageError` if it cannot be read or is none: see `createDecoder`. */
    text: decoded(
      unzipped(chunks, name),
      decoder.createDecoder({ ...files.encoding, name, path, system }),
    ),
    /** The part of its bytes that has been read, from 0 to 1; undefined if its size is unknown. */
    share: () => (size === undefined ? undefined : Math.min(bytes() / size, 1)),
    /** Known once `text` has been read to its end. */
    fingerprint,
  };
}

/** The fingerprint of a file, without parsing its content. */
export async function fingerprintOf(path: string, system: InputSystem): Promise<Fingerprint> {
  const { chunks, fingerprint } = await openBytes(path, system, () => false);
  for await (const _ of chunks);
  return fingerprint();
}

/** The absolute path of a file, or `-` for an input that cannot be read twice: stdin, a pipe. */
export async function inputPath(path: string, system: InputSystem): Promise<string> {
  const isFile = path !== '-' && (await statOf(path, system)).isFile();
  return isFile ? resolve(system.cwd, path) : '-';
}

/** Milliseconds within which a signal to a pipeline reaches all its processes. */
const signalAfterEnd = 20;

/** The bytes of an input, and what is known of those read so far. */
async function openBytes(path: string, system: InputSystem, report: Context['report']) {
  const hash = createHash('sha256');
  const stats = path === '-' ? undefined : await statOf(path, system);
  let bytes = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of rawChunks(path, system, report)) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
    // Ctrl-C also ends the program that writes into a pipe, so that its output is incomplete. Our own signal
    // comes with the end of the input, or a moment later.
    if (stats?.isFile() !== true) await system.sleep(signalAfterEnd, system.signal);
  }
  return {
    chunks: chunks(),
    bytes: () => bytes,
    // It is 0 for pipes and for files that the kernel generates.
    size: stats?.size || undefined,
    fingerprint: () => ({ digest: hash.copy().digest('hex'), bytes, modified: stats?.mtimeMs }),
  };
}

async function statOf(path: string, { cwd }: InputSystem): Promise<Stats> {
  if (path === '') throw new UsageError('The name of the file is empty');
  try {
    return await stat(resolve(cwd, path));
  } catch (error) {
    throw new UsageError(`${path} ${whyUnreadable(error)}`, { cause: error });
  }
}

async function* rawChunks(
  path: string,
  system: InputSystem,
  report: Context['report'],
): AsyncGenerator<Uint8Array> {
  const { signal } = system;
  const stream = path === '-' ? system.stdin : openFile(path, system, report, 32 * 1024);
  try {
    yield* bytesOf(stream, signal);
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    throw new UsageError(`${path === '-' ? 'stdin' : path} ${whyUnreadable(error)}`, {
      cause: error,
    });
  } finally {
    if ('destroy' in stream && path !== '-') stream.destroy();
  }
}

async function* unzipped(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  if (first.done === true) return;
  const all = withBeginning(first.value, chunks);
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all;
    return;
  }
  try {
    // An error in either stream reaches the reader of the last one.
    yield* pipeline(all, createGunzip(), () => {});
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))) {
      throw new UsageError(`${name} is damaged gzip: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

async function* decoded(
  chunks: AsyncIterable<Uint8Array>,
  decode: ReturnType<typeof createDecoder>,
): AsyncGenerator<string> {
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}
