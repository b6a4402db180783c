import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isComplete } from '../journal/counts.ts';
import { readHeader } from '../journal/run-header.ts';
import type { RunStore } from '../journal/run-store.ts';
import type { ShownRun } from './run-shapes.ts';

/** Reads how far all runs are, newest first. */
export function readRuns(store: RunStore): ShownRun[] {
  return store
    .names()
    .map((name) => readRun(store, name))
    .sort(({ begunAt: one = '' }, { begunAt: other = '' }) => other.localeCompare(one));
}

/** Reads how far a run is, and whether another process is sending it. */
export function readRun(store: RunStore, name: string): ShownRun {
  const run = readJournal(store, name);
  return run.state === 'incomplete' && store.isTaken(name) ? { ...run, state: 'sending' } : run;
}

/** Reads how far a run is from its journal. */
export function readJournal(store: RunStore, run: string): ShownRun {
  const bytes = sizeOf(join(store.directory, run));
  const seen = store.look(run, (journal) => ({
    header: readHeader(journal),
    counts: journal.counts(),
  }));
  if (seen?.header === undefined) return { run, state: 'unreadable', bytes };
  const { header, counts } = seen;
  return {
    run,
    state: isComplete(counts) ? 'complete' : 'incomplete',
    file: header.input,
    sending: header.sending,
    shard: header.shard,
    redirectedTo: header.redirect,
    retryOf: header.retry?.of,
    baseUrl: header.baseUrl,
    begunAt: new Date(header.begunAt).toISOString(),
    emails: header.emails,
    accepted: counts.accepted,
    rejected: counts.refused,
    unknown: counts.unknown,
    left: counts.ready + counts.begun,
    unanswered: counts.begun,
    bytes,
  };
}

/** Files that another process removes meanwhile do not count. */
function sizeOf(directory: string): number {
  try {
    return readdirSync(directory)
      .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
  }
}
