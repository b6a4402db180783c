import type { Context } from '../../command/context.ts';
import { rememberMade } from '../../command/names/last-made.ts';
import type { OpenRun } from '../journal/run-store.ts';

/** Does `work`, however it ends; the last row that was accepted meanwhile is then `@last`. */
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
    if (id !== undefined) await rememberMade(context, 'email', id);
  }
}
