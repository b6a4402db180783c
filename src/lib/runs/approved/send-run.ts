import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../command-line/command/context.ts';
import type { Outbox, StoredEntry } from '../../command-line/outbox/outbox-store.ts';
import type { Result } from '../../command-line/output/result.ts';
import { isComplete } from '../bulk/journal/counts.ts';
import { recordedRun } from '../bulk/journal/recorded-run.ts';
import { runsOf } from '../bulk/journal/run-store.ts';
import { resumeRun } from '../bulk/run.ts';

/**
 * Sends an approved run: moves it among the runs, and resumes it there like every other one. To be called while the entry is
 * held; called again after a kill, it sends what is left.
 */
export async function sendRun(
  context: Context,
  outbox: Outbox,
  stored: StoredEntry,
  directory: string,
): Promise<Result> {
  const store = runsOf(context);
  // First, so that nobody rejects a run that may be sent.
  if (stored.decided?.state !== 'begun') outbox.mark(stored, 'begun');
  const prepared = join(stored.directory, 'run');
  if (existsSync(prepared)) store.adopt(directory, prepared);
  const recorded = await recordedRun(context, directory);
  const approved = { expect: stored.kept.digest, isApproved: true } as const;
  const result = await resumeRun(approvedContext(context), {}, recorded, approved);
  const counts = store.look(directory, (journal) => journal.counts());
  if (counts !== undefined && isComplete(counts)) outbox.mark(stored, 'sent');
  return result;
}

/** A context in which nothing is asked again, and whose requests are those that a person has approved. */
function approvedContext(context: Context): Context {
  return {
    ...context,
    prompts: { ...context.prompts, possible: false, asks: false, confirm: async () => {} },
    send: (request, read, options) => context.send(request, read, { ...options, isApproved: true }),
  };
}
