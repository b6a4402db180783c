import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Context } from '../command/context.ts';
import { isFileError } from '../files/file-errors.ts';
import { makeDirectories } from '../files/make-directories.ts';
import { cannotBeWritten, writeNamedFile } from '../files/private-file.ts';
import { lookInto } from './directory.ts';
import { fileNameOf } from './file-name.ts';
import { isSameTemplate, writeFrontMatter } from './front-matter.ts';
import type { Lock } from './lock.ts';
import type { FileRow } from './rows.ts';
import { newestByName, type StoredTemplate, storedTemplate } from './stored.ts';

/** A template of the service and the file for it. */
export interface Pulled {
  readonly template: StoredTemplate;
  readonly row: FileRow & { readonly id: string };
}

/** Compares the newest template of each name with its file, which may have to be written. */
export async function compareWithFiles(
  context: Context,
  directory: string,
): Promise<readonly Pulled[]> {
  const there = isThere(resolve(context.system.cwd, directory))
    ? await lookInto(context, directory)
    : { templates: [], names: [] };
  const fileOf = new Map(there.templates.map((one) => [one.name, one]));
  const taken = new Set(there.names.map(folded));
  const newest = [...(await newestByName(context)).values()];
  const pulled: Pulled[] = [];
  for (const [index, listed] of newest.toSorted(byName).entries()) {
    context.progress.update(`Reading ${index + 1} of ${newest.length} templates`);
    const template = await storedTemplate(context, listed);
    const { id, name } = template;
    const own = fileOf.get(name);
    const file = own?.file ?? fileNameOf(name, (one) => taken.has(folded(one)));
    taken.add(folded(file));
    const isSame = own !== undefined && isSameTemplate(own, template);
    const result = own === undefined ? 'new' : isSame ? 'unchanged' : 'changed';
    pulled.push({ template, row: { file, name, id, result } });
  }
  return pulled;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Names that some file system takes for the same. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function byName({ name: one }: { name: string }, { name: other }: { name: string }): number {
  return one < other ? -1 : 1;
}

/** Writes the files that are new or changed, each as a whole, and their ids. */
export async function writeFiles(
  { system }: Context,
  directory: string,
  pulled: readonly Pulled[],
  lock: Lock,
): Promise<readonly FileRow[]> {
  makeDirectory(resolve(system.cwd, directory), directory);
  const rows: FileRow[] = [];
  for (const { template, row } of pulled) {
    if (row.result === 'unchanged') {
      rows.push(row);
      continue;
    }
    const text = await writeFrontMatter(template);
    await writeNamedFile([text], join(directory, row.file), system, { writer: 'templates' });
    rows.push({ ...row, result: 'written' });
  }
  await lock.store(new Map(pulled.map(({ row }) => [row.name, row.id])));
  return rows;
}

function makeDirectory(path: string, named: string): void {
  try {
    makeDirectories(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw cannotBeWritten(named, error);
  }
}
