import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Context } from '../command/context.ts';
import { UsageError } from '../errors.ts';
import { isFileError } from '../files/file-errors.ts';
import { makeDirectories } from '../files/make-directories.ts';
import { cannotBeWritten, writeNamedFile } from '../files/private-file.ts';

/** The file in a directory of templates that says which id each has, for scripts and reviews. */
const lockName = 'mailer-templates.lock.json';

const ids = z.record(z.string(), z.string());
const schema = z.strictObject({ version: z.literal(1), services: z.record(z.string(), ids) });

/** Writes to a directory of templates, each file as a whole. Throws a `UsageError` where that fails. */
export interface Writer {
  /** Makes the directory, and those above it. */
  makeDirectory(): void;
  writeFile(file: string, text: string): Promise<void>;
  /** Stores the ids of the templates of the service in use, by name, and keeps those of others. */
  storeIds(idOf: ReadonlyMap<string, string>): Promise<void>;
}

/** A writer to a directory, which may not be there yet. Throws a `UsageError` for damaged ids in it. */
export async function openWriter(context: Context, directory: string): Promise<Writer> {
  const { files, system } = context;
  const path = join(directory, lockName);
  let written = files.has(path) ? await files.readText(path, 'lock') : undefined;
  const services = written === undefined ? {} : parsed(written, path).services;
  const service = (await context.account()).service();
  const writeFile = (file: string, text: string) =>
    writeNamedFile([text], join(directory, file), system, { writer: 'templates' });
  return {
    makeDirectory() {
      try {
        makeDirectories(resolve(system.cwd, directory));
      } catch (error) {
        throw isFileError(error) ? cannotBeWritten(directory, error) : error;
      }
    },
    writeFile,
    async storeIds(idOf) {
      const all = new Map([...Object.entries(services), [service, Object.fromEntries(idOf)]]);
      const text = `${JSON.stringify({ version: 1, services: inOrder(all) }, null, 2)}\n`;
      if (text === written) return;
      await writeFile(lockName, text);
      written = text;
    },
  };
}

function parsed(text: string, path: string): z.infer<typeof schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`${path} is damaged, or of another version`, {
      hint: 'Delete it: the next push or pull writes it again.',
      cause: error,
    });
  }
}

/** The same lock is the same text, whatever was created first. */
function inOrder(services: ReadonlyMap<string, Record<string, string>>) {
  return sorted(
    [...services].map(([service, idOf]) => [service, sorted(Object.entries(idOf))] as const),
  );
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
