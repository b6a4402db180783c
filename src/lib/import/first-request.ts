import { join } from 'node:path';
import { openBodies } from '../bulk/journal/bodies.ts';
import { openJournal } from '../bulk/journal/journal-file.ts';
import { runFiles } from '../bulk/journal/run-store.ts';
import { jsonOf } from '../bulk/send/part-emails.ts';
import type { Context } from '../command/context.ts';
import { fetchBook } from '../command/names/books.ts';
import { dryRunByName } from '../command/names/named-dry-run.ts';
import { MailerError } from '../errors.ts';
import { looksLikeId } from '../text/looks-like-id.ts';
import { grouped } from '../text/quantity.ts';
import { contactsOf } from './imported-contact.ts';
import { prepareImport } from './prepare.ts';
import type { ImportHooks, ImportTask } from './read-import.ts';
import { requestBulk, requestChange } from './request.ts';

/** Prepares a run, and shows its first request instead of sending it, which ends the command. */
export async function showFirstOf(
  task: ImportTask,
  { compared, whenEmpty, approve }: ImportHooks,
): Promise<undefined> {
  const { context, flags, path, store, asked } = task;
  const files = store.beginTrial(context.system.uuid());
  try {
    const book = (await hasKey(context)) ? await fetchBook(context, asked.book) : undefined;
    const options = { flags, path, book, directory: files.directory, compared, whenEmpty };
    const { plan } = await prepareImport(context, options);
    if (!(await approve(plan))) return undefined;
    const run = { directory: files.directory, baseUrl: task.baseUrl };
    const show = (id: string) => showFirstBulk(context, run, id, plan.requests);
    if (book !== undefined) await show(book.id);
    else if (looksLikeId(asked.book)) await show(asked.book);
    else await dryRunByName(context, 'contact book', asked.book, show);
    return undefined;
  } finally {
    files.discard();
  }
}

/** Whether the account has a key, which a dry run does not need. */
async function hasKey(context: Context): Promise<boolean> {
  try {
    await (await context.account()).key();
    return true;
  } catch (error) {
    if (error instanceof MailerError) return false;
    throw error;
  }
}

export async function showFirstBulk(
  context: Context,
  { directory, baseUrl }: { readonly directory: string; readonly baseUrl: string },
  bookId: string,
  requests: number,
): Promise<void> {
  const journal = openJournal(join(directory, runFiles.journal), { check: false });
  const [part] = journal.ready(1);
  const size = journal.bodiesLength();
  journal.close();
  if (part === undefined) return;
  const bodies = openBodies(join(directory, runFiles.bodies), size);
  try {
    if (requests > 1) context.notes.say(`The first of ${grouped(requests)} requests.`);
    // Also works without an account.
    const client = await context.clientFor({ baseUrl, apiKey: undefined });
    if (!part.chunk.alone) await requestBulk(client, bookId, jsonOf(part, bodies), {});
    for (const { contact } of contactsOf(part, bodies)) {
      await requestChange(client, bookId, contact, {});
    }
  } finally {
    bodies.close();
  }
}
