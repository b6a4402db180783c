import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { cannotBeWritten, isFileError } from '../../../base/files/file-errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { ExportFormat } from './exported-email.ts';

/** Where an export goes. */
export interface ExportPlace {
  /** The path of the file to write, absolute. */
  readonly target: string;
  /** The same as given. */
  readonly name: string;
  readonly format: ExportFormat;
  /** The files of earlier exports, the oldest first. */
  readonly earlier: readonly string[];
  /** The file that the process which writes it locks. */
  readonly lock: string;
  /** Whether each export is a file of its own. */
  readonly isDirectory: boolean;
}

/** The files beside a target while it is incomplete: its emails, and how far it is. */
export function unfinished(target: string) {
  return { lines: `${target}.partial`, state: `${target}.partial.json` };
}

/**
 * The file that `--output` names. In a directory it is the one that is incomplete, or a new one named by the time.
 */
export function placeOf(
  { system }: Pick<Context, 'system'>,
  output: string,
  given: ExportFormat | undefined,
): ExportPlace {
  const path = resolve(system.cwd, output);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory() !== true && !/[/\\]$/.test(output)) {
    if (there !== undefined && !there.isFile()) {
      throw new UsageError(`--output: ${output} is neither a file nor a directory`);
    }
    const format = given ?? (/\.csv$/i.test(output) ? 'csv' : 'jsonl');
    const earlier = there === undefined ? [] : [path];
    const lock = `${path}.lock`;
    return { target: path, name: output, format, earlier, lock, isDirectory: false };
  }
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw isFileError(error) ? cannotBeWritten(output, error, '--output') : error;
  }
  const names = readdirSync(path).sort();
  const format = given ?? 'jsonl';
  const pattern = new RegExp(`^emails-[\\dT-]+Z\\.${format}`);
  const ours = names.filter((name) => pattern.test(name));
  const stopped = ours.find((name) => name.includes('.partial'));
  const file = stopped?.replace(/\.partial.*/, '') ?? newName(names, system.now(), format);
  const earlier = ours
    .filter((name) => name.endsWith(`Z.${format}`))
    .map((name) => join(path, name));
  const target = join(path, file);
  const lock = join(path, 'emails.lock');
  return { target, name: join(output, file), format, earlier, lock, isDirectory: true };
}

/** A name by the time that no file has. */
function newName(names: readonly string[], now: number, format: ExportFormat): string {
  for (let at = now; ; at++) {
    const name = `emails-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}.${format}`;
    if (!names.includes(name)) return name;
  }
}

/** Whether an export to this target has stopped. */
export function isStopped({ target }: ExportPlace): boolean {
  return existsSync(unfinished(target).state);
}
