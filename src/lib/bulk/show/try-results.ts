import {
  accessSync,
  type BigIntStats,
  constants,
  fstatSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { isFileError } from '../../files/config-file-error.ts';
import { cannotBeWritten } from '../../files/private-file.ts';
import type { System } from '../../system/system.ts';
import type { BulkFlags } from '../flags.ts';

type FileSystem = Pick<System, 'cwd' | 'stdin'>;

/**
 * Tries whether `--results` can be written, so that this is not found out when everything has been
 * sent; nothing is made or changed. Throws a `UsageError` when not, and for what the command reads:
 * its input, a body, an attachment.
 */
export function tryResults(flags: BulkFlags, input: string, system: FileSystem): void {
  const { results } = flags;
  if (results === undefined) return;
  let there: BigIntStats | undefined;
  try {
    there = tryPath(resolve(system.cwd, results));
  } catch (error) {
    if (!isFileError(error)) throw error;
    const refused = cannotBeWritten(results, error, '--results');
    refused.details = { ...refused.details, hint: 'Nothing was sent.' };
    throw refused;
  }
  if (there?.isFile() !== true) return;
  for (const [name, path] of filesRead(flags, input)) {
    const read = statOf(path, system);
    if (read?.dev !== there.dev || read.ino !== there.ino) continue;
    throw new UsageError(
      `--results: ${results} is the same file as ${name}, and would replace it`,
      {
        hint: 'Name another one. Nothing was sent.',
      },
    );
  }
}

/** What is at the path, if anything. Throws the error of the system when it cannot be written. */
function tryPath(target: string): BigIntStats | undefined {
  const there = statSync(target, { throwIfNoEntry: false, bigint: true });
  if (there?.isDirectory() === true) throw fileError('EISDIR');
  if (there !== undefined && !there.isFile()) {
    accessSync(target, constants.W_OK);
    return there;
  }
  // The file itself is replaced by one that is written beside it.
  const directory = dirname(there === undefined ? target : realpathSync(target));
  if (!statSync(directory).isDirectory()) throw fileError('ENOTDIR');
  accessSync(directory, constants.W_OK | constants.X_OK);
  return there;
}

/** The error that the system would give when the file is opened. */
function fileError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'open' });
}

function filesRead(flags: BulkFlags, input: string): (readonly [name: string, path: string])[] {
  const named = [
    ['FILE', input],
    ['--text-file', flags.textFile],
    ['--html-file', flags.htmlFile],
    ['--vars-file', flags.varsFile],
    ...(flags.attach ?? []).map((path) => ['--attach', path] as const),
  ] as const;
  return named.flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const]));
}

/** What a path names, or stdin for `-`; undefined for what is not there. */
function statOf(path: string, { cwd, stdin }: FileSystem): BigIntStats | undefined {
  try {
    if (path !== '-') return statSync(resolve(cwd, path), { bigint: true });
    return 'fd' in stdin && typeof stdin.fd === 'number'
      ? fstatSync(stdin.fd, { bigint: true })
      : undefined;
  } catch {
    return undefined;
  }
}
