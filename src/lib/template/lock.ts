import { join } from 'node:path';
import * as z from 'zod';
import type { Context } from '../command/context.ts';
import { UsageError } from '../errors.ts';
import { writeNamedFile } from '../files/private-file.ts';

/** The file in a directory of templates that says which id each has, for scripts and reviews. */
export const lockName = 'mailer-templates.lock.json';

const ids = z.record(z.string(), z.string());
const schema = z.strictObject({ version: z.literal(1), services: z.record(z.string(), ids) });

/** The ids in a directory, of the service in use. */
export interface Lock {
  /** Stores the ids of templates, by name, and keeps those of other services. */
  store(idOf: ReadonlyMap<string, string>): Promise<void>;
}

/** Opens the lock of a directory; there may be none yet. Throws a `UsageError` for a damaged one. */
export async function openLock(context: Context, directory: string): Promise<Lock> {
  const { files, system } = context;
  const path = join(directory, lockName);
  let written = files.has(path) ? await files.readText(path, 'lock') : undefined;
  const services = written === undefined ? {} : parsed(written, path).services;
  const service = (await context.account()).service();
  return {
    async store(idOf) {
      const all = new Map([...Object.entries(services), [service, Object.fromEntries(idOf)]]);
      const text = `${JSON.stringify({ version: 1, services: inOrder(all) }, null, 2)}\n`;
      if (text === written) return;
      await writeNamedFile([text], path, system, { writer: 'templates' });
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
