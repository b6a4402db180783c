import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../base/errors.ts';
import { cannotBeWritten, isFileError } from '../../base/files/file-errors.ts';
import { makeDirectories } from '../../base/files/make-directories.ts';
import { writeNamedFile } from '../../base/files/write-file.ts';
import type { Context } from '../../command-line/command/context.ts';
import { comparedText, type TemplateText } from './template-front-matter.ts';

/** The file in a directory of templates with their ids, for scripts and code reviews. */
const lockName = 'mailer-templates.lock.json';

const ids = z.record(z.string(), z.string());
/** Digests of the template that was sent, and of what the service stored instead. */
const rewritten = z.strictObject({ sent: z.string(), stored: z.string() });
const schema = z.strictObject({
  version: z.literal(1),
  services: z.record(z.string(), ids),
  /** By the ids of templates that the service rewrote. */
  rewritten: z.record(z.string(), rewritten).optional(),
});

/** Writes to a directory of templates, each file atomically. Throws a `UsageError` if that fails. */
export type Writer = Awaited<ReturnType<typeof openWriter>>;

/** A writer for a directory, which may not exist yet. Throws a `UsageError` if its file of ids is damaged. */
export async function openWriter(context: Context, directory: string) {
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
    /** Creates the directory and its parents. */
    makeDirectory(): void {
      try {
        makeDirectories(resolve(system.cwd, directory));
      } catch (error) {
        throw isFileError(error) ? cannotBeWritten(directory, error) : error;
      }
    },
    writeFile,
    /** Whether an earlier push recorded that the service stored `stored` instead of `sent`. */
    isRewritten(id: string, sent: TemplateText, stored: TemplateText): boolean {
      const rewrite = rewrites.get(id);
      return rewrite?.sent === digestOf(sent) && rewrite.stored === digestOf(stored);
    },
    /** Records that; written with the next `storeIds`. */
    keepRewritten(id: string, sent: TemplateText, stored: TemplateText): void {
      rewrites.set(id, { sent: digestOf(sent), stored: digestOf(stored) });
    },
    /** Forgets what was recorded for a template that has been replaced by a newer one. */
    dropRewritten(id: string): void {
      rewrites.delete(id);
    },
    /** Stores the ids for the service in use, by name, and keeps those for other services. */
    async storeIds(idOf: ReadonlyMap<string, string>): Promise<void> {
      const all = new Map([...Object.entries(services), [service, Object.fromEntries(idOf)]]);
      // Also those of ids that are not in use: another account of this service may have them.
      const lock = {
        version: 1,
        services: inOrder(all),
        ...(rewrites.size > 0 ? { rewritten: sorted([...rewrites]) } : {}),
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

/** Sorted, so that the order of creation does not change the file. */
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
