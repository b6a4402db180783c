import { type Dirent, readFileSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { attempt } from '../../../shared/attempt.ts';
import { UsageError } from '../../base/errors.ts';
import { whyUnreadable } from '../../base/input/input-files.ts';
import { bytesOf, openFile } from '../../base/input/open-file.ts';
import type { System } from '../../base/system/system.ts';
import { mostAtOnce, type ReportContent } from './bytes.ts';
import { damageOf, type FoundInFile, findReports } from './find-reports.ts';

interface Machine extends Pick<System, 'cwd' | 'signal' | 'sleep' | 'stdin'> {
  readonly breathe: () => Promise<void>;
}

/** Levels of directories. */
const deepest = 32;

/**
 * Everything that is found in files, in directories with everything below them, and in stdin, which is `-`. Throws a
 * `UsageError` before the first one is read if one does not exist.
 */
export async function* findInSources(
  paths: readonly string[],
  system: Pick<System, 'cwd' | 'signal' | 'sleep' | 'stdin'>,
  report: (text: string) => void,
): AsyncGenerator<FoundInFile> {
  const machine: Machine = { ...system, breathe: createBreathing(system.signal) };
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('FILE: stdin can be given only once');
  }
  const given = await Promise.all(paths.map((path) => isDirectory(path, machine)));
  for (const [index, path] of paths.entries()) {
    if (given[index] === true) {
      for await (const file of filesBelow(path, machine)) {
        if (typeof file === 'string') yield* findInFile(file, machine, report);
        else yield file;
      }
      continue;
    }
    let isEmpty = true;
    for await (const found of findInFile(path, machine, report)) {
      isEmpty &&= found.kind === 'other';
      yield found;
    }
    // A file of a directory may be anything, but one that was named was meant.
    if (isEmpty) yield { kind: 'damaged', name: nameOf(path), problem: 'has no aggregate report' };
  }
}

async function isDirectory(path: string, { cwd }: Machine): Promise<boolean> {
  if (path === '-') return false;
  if (path === '') throw new UsageError('FILE: the name of the file is empty');
  try {
    return (await stat(resolve(cwd, path))).isDirectory();
  } catch (error) {
    throw new UsageError(`FILE: ${path} ${whyUnreadable(error)}`, { cause: error });
  }
}

/** The files below a directory, by name. Links to directories are not followed, because they may lead back. */
async function* filesBelow(
  path: string,
  machine: Machine,
  depth = 1,
): AsyncGenerator<string | FoundInFile> {
  let entries: Dirent[];
  try {
    entries = await readdir(resolve(machine.cwd, path), { withFileTypes: true });
  } catch (error) {
    yield { kind: 'damaged', name: path, problem: damageOf(error) };
    return;
  }
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) {
      if (depth < deepest) yield* filesBelow(inside, machine, depth + 1);
      else yield { kind: 'damaged', name: inside, problem: 'is nested too deeply' };
    } else if (entry.isFile() || (entry.isSymbolicLink() && isFile(inside, machine))) {
      yield inside;
    }
  }
}

function isFile(path: string, { cwd }: Machine): boolean {
  return attempt(() => statSync(resolve(cwd, path)).isFile(), false);
}

async function* findInFile(
  path: string,
  machine: Machine,
  report: (text: string) => void,
): AsyncGenerator<FoundInFile> {
  let opened: { destroy(): void } | undefined;
  const open = (): ReportContent => {
    if (path === '-') return bytesOf(machine.stdin, machine.signal);
    const full = resolve(machine.cwd, path);
    const stats = statSync(full);
    if (stats.isFile() && stats.size <= mostAtOnce.packed) return readFileSync(full);
    const stream = openFile(path, machine, report);
    opened = stream;
    return bytesOf(stream, machine.signal);
  };
  try {
    yield* findReports(open, { name: nameOf(path), depth: 0, breathe: machine.breathe });
  } finally {
    opened?.destroy();
  }
}

function nameOf(path: string): string {
  return path === '-' ? 'stdin' : path;
}

/** Files between two chances for other events. */
const together = 16;

/** Small files are read at once, so without a pause nothing would notice Ctrl-C. */
function createBreathing(signal: AbortSignal): () => Promise<void> {
  let files = 0;
  return async () => {
    if (++files % together !== 0) return;
    await setImmediate();
    signal.throwIfAborted();
  };
}
