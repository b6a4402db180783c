import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Context } from '../command/context.ts';
import { UsageError } from '../errors.ts';
import { isFileError } from '../files/file-errors.ts';
import { makeDirectories } from '../files/make-directories.ts';
import { cannotBeWritten, writeNamedFile } from '../files/private-file.ts';
import { comparedText, type TemplateText } from './front-matter.ts';

/** The file in a directory of templates that says which id each has, for scripts and reviews. */
const lockName = 'mailer-templates.lock.json';

const ids = z.record(z.string(), z.string());
/** Digests of what was sent, and of what the service stored in its place. */
const rewritten = z.strictObject({ sent: z.string(), stored: z.string() });
const schema = z.strictObject({
  version: z.literal(1),
  services: z.record(z.string(), ids),
  /** By the ids of templates that the service rewrote. */
  rewritten: z.record(z.string(), rewritten).optional(),
});

/** Writes to a directory of templates, each file as a whole. Throws a `UsageError` where that fails. */
export interface Writer {
  /** Makes the directory, and those above it. */
  makeDirectory(): void;
  writeFile(file: string, text: string): Promise<void>;
  /** Whether the service stored this text in place of that one, as an earlier push saw. */
  isRewritten(id: string, sent: TemplateText, stored: TemplateText): boolean;
  /** Keeps that it did, with the next ids that are stored. */
  keepRewritten(id: string, sent: TemplateText, stored: TemplateText): void;
  /** Stores the ids of the templates of the service in use, by name, and keeps those of others. */
  storeIds(idOf: ReadonlyMap<string, string>): Promise<void>;
}

/** A writer to a directory, which may not be there yet. Throws a `UsageError` for damaged ids in it. */
export async function openWriter(context: Context, directory: string): Promise<Writer> {
  const { files, system } = context;
  const path = join(directory, lockName);
  let written = files.has(path) ? await files.readText(path, 'lock') : undefined;
  const known = written === undefined ? undefined : parsed(written, path);
  const services = known?.services ?? {};
  const rewrites = new Map(Object.entries(known?.rewritten ?? {}));
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
    isRewritten(id, sent, stored) {
      const rewrite = rewrites.get(id);
      return rewrite?.sent === digestOf(sent) && rewrite.stored === digestOf(stored);
    },
    keepRewritten(id, sent, stored) {
      rewrites.set(id, { sent: digestOf(sent), stored: digestOf(stored) });
    },
    async storeIds(idOf) {
      const all = new Map([...Object.entries(services), [service, Object.fromEntries(idOf)]]);
      const inUse = new Set([...all.values()].flatMap((ids) => Object.values(ids)));
      const kept = [...rewrites].filter(([id]) => inUse.has(id));
      const lock = {
        version: 1,
        services: inOrder(all),
        ...(kept.length > 0 ? { rewritten: sorted(kept) } : {}),
      };
      const text = `${JSON.stringify(lock, null, 2)}\n`;
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

function digestOf(template: TemplateText): string {
  return createHash('sha256').update(comparedText(template)).digest('hex');
}
