import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConflictError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { Outbox, StoredEntry } from '../../command-line/outbox/outbox-store.ts';
import type { Result } from '../../command-line/output/result.ts';
import { isComplete } from '../bulk/journal/counts.ts';
import { removeUnsent } from '../bulk/journal/find-run.ts';
import { recordedRun } from '../bulk/journal/recorded-run.ts';
import { runsOf } from '../bulk/journal/run-store.ts';
import { resumeRun } from '../bulk/run.ts';
import { lookAgain } from './look-again.ts';

/**
 * Sends an approved run: moves it among the runs, and resumes it there like every other one. To be called while the entry is
 * held; called again after a kill, it sends what is left.
 */
export async function sendRun(
  context: Context,
  outbox: Outbox,
  stored: StoredEntry,
  named: string,
): Promise<Result> {
  const store = runsOf(context);
  const prepared = join(stored.directory, 'run');
  const begun = stored.decided?.run ?? named;
  const directory = existsSync(prepared) ? await adopt(prepared) : begun;
  const recorded = await recordedRun(context, directory);
  const approved = { expect: stored.kept.digest, isApproved: true } as const;
  const result = await resumeRun(approvedContext(context), {}, recorded, approved);
  const counts = store.look(directory, (journal) => journal.counts());
  if (counts !== undefined && isComplete(counts)) outbox.mark(stored, 'sent', [], directory);
  return result;

  /** Moves it among the runs, and returns its name there. */
  async function adopt(prepared: string): Promise<string> {
    try {
      const { directory, unsent } = await lookAgain(context, store, prepared, stored.kept);
      for (const name of unsent) removeUnsent(store, name);
      // First, so that nobody rejects a run that may be sent.
      outbox.mark(stored, 'begun', [], directory);
      store.adopt(directory, prepared);
      return directory;
    } catch (error) {
      // Nothing of it was sent, so that it can be rejected, or sent once the other run is gone.
      const isOpen = error instanceof ConflictError && existsSync(prepared);
      if (isOpen && outbox.get(stored.kept.id).decided?.state === 'begun') {
        outbox.mark({ ...stored, decided: undefined }, 'approved');
      }
      throw error;
    }
  }
}

/** A context in which nothing is asked again, and whose requests are those that a person has approved. */
function approvedContext(context: Context): Context {
  return {
    ...context,
    prompts: { ...context.prompts, possible: false, asks: false, confirm: async () => {} },
    send: (request, read, options) => context.send(request, read, { ...options, isApproved: true }),
  };
}
