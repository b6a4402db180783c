import type { Context } from '../../command/context.ts';
import { rememberLastCreated } from '../../command/names/last-made.ts';
import type { OpenRun } from '../journal/run-store.ts';

/** Runs `work`; the last email accepted meanwhile is then `@last`, even if it throws. */
export async function rememberingLast(
  context: Context,
  { journal }: Pick<OpenRun, 'journal'>,
  work: () => Promise<void>,
): Promise<void> {
  const before = journal.counts().accepted;
  try {
    await work();
  } finally {
    const id = journal.counts().accepted > before ? journal.lastAccepted() : undefined;
    if (id !== undefined) await rememberLastCreated(context, 'email', id);
  }
}
