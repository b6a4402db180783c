import type { Context } from '../context.ts';
import { type ListResult, list, status, time } from '../output/result.ts';
import type { Counts } from './journal.ts';
import { isComplete, type RunMeta, readMeta } from './run-meta.ts';
import { runsOf } from './runs-of.ts';

/** A run as `--status` shows it. */
interface ShownRun {
  readonly directory: string;
  readonly state: 'complete' | 'incomplete' | 'unreadable';
  readonly meta: RunMeta | undefined;
  readonly counts: Counts | undefined;
}

/** All runs, newest first, and how far each is. */
export function showRuns(context: Context): ListResult {
  const store = runsOf(context);
  const runs = store.names().map((directory): ShownRun => {
    const seen = store.look(directory, (journal) => ({
      meta: readMeta(journal),
      counts: journal.counts(),
    }));
    const state =
      seen?.meta === undefined ? 'unreadable' : isComplete(seen.counts) ? 'complete' : 'incomplete';
    return { directory, state, meta: seen?.meta, counts: seen?.counts };
  });
  runs.sort((one, other) => (other.meta?.begunAt ?? 0) - (one.meta?.begunAt ?? 0));
  const rows = runs.map(({ directory, state, meta, counts }) => ({
    run: directory,
    state,
    file: meta?.input,
    sending: meta?.sending,
    shard: meta?.shard,
    begunAt: meta === undefined ? undefined : new Date(meta.begunAt).toISOString(),
    emails: meta?.emails,
    accepted: counts?.accepted,
    rejected: counts?.refused,
    unknown: counts?.unknown,
    left: counts === undefined ? undefined : counts.ready + counts.begun,
  }));
  return list<(typeof rows)[number]>({
    pages: [{ reply: rows, rows }],
    rowsIn: undefined,
    columns: [
      { field: 'run', header: 'Run', cell: ({ run }) => run, flexible: true },
      { field: 'state', header: 'State', cell: ({ state }) => status(state) },
      { field: 'file', header: 'File', cell: ({ file }) => file, flexible: true },
      { field: 'begunAt', header: 'Begun', cell: ({ begunAt }) => time(begunAt) },
      { field: 'emails', header: 'Emails', cell: ({ emails }) => emails },
      { field: 'accepted', header: 'Accepted', cell: ({ accepted }) => accepted },
      { field: 'rejected', header: 'Rejected', cell: ({ rejected }) => rejected },
      { field: 'unknown', header: 'Unknown', cell: ({ unknown }) => unknown },
      { field: 'left', header: 'Left', cell: ({ left }) => left },
    ],
    id: ({ run }) => run,
    empty: `No runs. Their journals are in ${store.directory}`,
  });
}
