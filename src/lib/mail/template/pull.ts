import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { NotFoundError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { lookInto } from './directory.ts';
import type { FileRow } from './file-rows.ts';
import { newestByName, type StoredTemplate, storedTemplate } from './stored-template.ts';
import { isSameTemplate, missingField, writeFrontMatter } from './template-front-matter.ts';
import type { Writer } from './writer.ts';

/** A template of the service, and its file. */
export interface Pulled {
  readonly template: StoredTemplate;
  readonly row: FileRow & { readonly id: string };
}

/** Compares the newest template of each name with its file. */
export async function compareWithFiles(context: Context, directory: string) {
  const there = isThere(resolve(context.system.cwd, directory))
    ? await lookInto(context, directory)
    : { templates: [], names: [] };
  const fileOf = new Map(there.templates.map((one) => [one.name, one]));
  const taken = new Set(there.names.map(folded));
  const newest = [...(await newestByName(context)).values()];
  const pulled: Pulled[] = [];
  /** Names of templates without subject or HTML, such as drafts, which a pull leaves out. */
  const blank: string[] = [];
  for (const [index, listed] of newest.toSorted(byName).entries()) {
    context.progress.update(`Reading ${index + 1} of ${newest.length} templates`);
    const template = await storedTemplate(context, listed).catch(noneIfDeleted);
    if (template === undefined) {
      context.notes.warn(
        `Left out, because it was deleted meanwhile: ${JSON.stringify(listed.name)}`,
      );
      continue;
    }
    const { id, name } = template;
    if (missingField(template) !== undefined) {
      blank.push(name);
      continue;
    }
    const own = fileOf.get(name);
    const file = own?.file ?? fileNameOf(name, (one) => taken.has(folded(one)));
    taken.add(folded(file));
    const isSame = own !== undefined && isSameTemplate(own, template);
    const result = own === undefined ? 'new' : isSame ? 'unchanged' : 'changed';
    pulled.push({ template, row: { file, name, id, result } });
  }
  return { pulled, blank };
}

function noneIfDeleted(error: unknown): undefined {
  if (!(error instanceof NotFoundError) || error.details.request?.mayBeOfProxy) throw error;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The same for names that some file systems treat as equal. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function byName({ name: one }: { name: string }, { name: other }: { name: string }): number {
  return one < other ? -1 : 1;
}

/** Writes new and changed files, each atomically, and the ids. */
export async function writeFiles(
  pulled: readonly Pulled[],
  writer: Writer,
): Promise<readonly FileRow[]> {
  writer.makeDirectory();
  const rows: FileRow[] = [];
  for (const { template, row } of pulled) {
    if (row.result === 'unchanged') {
      rows.push(row);
      continue;
    }
    await writer.writeFile(row.file, await writeFrontMatter(template));
    rows.push({ ...row, result: 'written' });
  }
  await writer.storeIds(new Map(pulled.map(({ row }) => [row.name, row.id])));
  return rows;
}

/** Characters of the longest file name: file systems allow 255 bytes, and a character may take four. */
const longest = 50;

/** Names reserved for devices on Windows, whatever the extension. */
const device = /^(con|prn|aux|nul|(com|lpt)\d)$/;

/**
 * A file name for a template: only the letters and digits of its name, which comes from the service. Appends
 * a number if `isTaken`.
 */
function fileNameOf(name: string, isTaken: (file: string) => boolean): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const slug = [...(words ?? []).join('-').normalize('NFC')].slice(0, longest).join('');
  const tidy = slug.replace(/-$/, '');
  const base = tidy === '' ? 'template' : device.test(tidy) ? `${tidy}-template` : tidy;
  let file = `${base}.html`;
  for (let number = 2; isTaken(file); number++) file = `${base}-${number}.html`;
  return file;
}
