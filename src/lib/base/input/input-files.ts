import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';
import { fileSize } from '../../../shared/file-size.ts';
import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
import type { Encoding } from './decoder.ts';
import { bytesOf, openFile } from './open-file.ts';

export type InputFiles = ReturnType<typeof createInputFiles>;

/**
 * Reads the files of `--x-file` flags, relative to the current directory of `system`. `-` is stdin, for at most one flag.
 * `report` gets what a person should know who waits for one.
 */
export function createInputFiles(
  system: Pick<
    System,
    'cwd' | 'stdin' | 'signal' | 'sleep' | 'env' | 'platform' | 'areTextsLiteral'
  >,
  report: (text: string) => void,
  encoding: Encoding = {},
) {
  let stdinFlag: string | undefined;
  /** The bytes of a file, at most 64 MiB or `longest`. Errors name `flag`. */
  const readBytes = async (
    path: string,
    flag: string,
    longest = longestInput,
  ): Promise<Uint8Array> => {
    const limits = { signal: system.signal, longest };
    if (path === '') throw new UsageError(`${flag}: the name of the file is empty`);
    if (path !== '-') {
      const stream = openFile(path, system, report);
      return await readNamed(stream, `${flag}: ${path}`, limits).finally(() => stream.destroy());
    }
    if (stdinFlag !== undefined) {
      throw new UsageError(
        stdinFlag === flag
          ? `${flag}: stdin can be given once`
          : `${stdinFlag} and ${flag} cannot both read from stdin`,
      );
    }
    stdinFlag = flag;
    return await readNamed(system.stdin, `${flag}: stdin`, limits);
  };
  return {
    readBytes,
    encoding,
    areTextsLiteral: system.areTextsLiteral === true,
    /** The same as text, without a byte order mark. Throws a `UsageError` if it is none: see `createDecoder`. */
    async readText(path: string, flag: string, longest?: number): Promise<string> {
      const bytes = await readBytes(path, flag, longest);
      const name = path === '-' ? 'stdin' : path;
      const { createDecoder } = await import('./decoder.ts');
      const decode = createDecoder({ ...encoding, name: `${flag}: ${name}`, path, system });
      const text = decode(bytes) + decode();
      if (!text.includes('\0')) return text;
      const again = encoding.lineWith?.('utf-16le');
      throw new UsageError(`${flag}: ${name} contains NUL bytes`, {
        hint: `It is not text, or it is UTF-16.${again ? ` If so, this reads it${again.needs}:\n${again.line}` : ''}`,
      });
    },
    /** Whether a file exists that may be meant. A directory does not count. */
    has: (path: string) => statsOf(path, system)?.isDirectory() === false,
    /** Whether it is a regular file, so neither a pipe nor a device. */
    isRegular: (path: string) => statsOf(path, system)?.isFile() === true,
  };
}

/** What the file system says about a path; undefined if there is nothing, or the path cannot be one. */
function statsOf(path: string, { cwd }: Pick<System, 'cwd'>) {
  return path === '' ? undefined : attempt(() => statSync(resolve(cwd, path)), undefined);
}

/**
 * Most bytes to read from a file. No service takes emails of this size, and devices have no end.
 */
const longestInput = 64 * 1024 * 1024;

async function readNamed(
  input: AsyncIterable<string | Uint8Array>,
  name: string,
  { signal, longest }: { readonly signal: AbortSignal; readonly longest: number },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bytesOf(input, signal)) {
      size += chunk.byteLength;
      if (size > longest) throw new UsageError(`${name} has more than ${fileSize(longest)}`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    throw new UsageError(`${name} ${whyUnreadable(error)}`, { cause: error });
  }
}

/** Why a file cannot be read: the end of a sentence. */
export function whyUnreadable(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
      return 'does not exist';
    case 'EISDIR':
      return 'is a directory';
    case 'ENOTDIR':
      return 'is not a directory';
    case 'EACCES':
    case 'EPERM':
      return 'cannot be read: permission denied';
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
