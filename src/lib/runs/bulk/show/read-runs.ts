import { directorySize } from '../../../base/files/directory-size.ts';
import { isComplete } from '../journal/counts.ts';
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
  const bytes = directorySize(store.path(run));
  const seen = store.read(run);
  if (seen === undefined) return { run, state: 'unreadable', bytes };
  const { header, counts } = seen;
  return {
    run,
    state: isComplete(counts) ? 'complete' : 'incomplete',
    file: header.input,
    sending: header.sending,
    shard: header.shard,
    redirectedTo: header.redirect,
    retryOf: header.retry?.of,
    profile: header.line.common.profile,
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
