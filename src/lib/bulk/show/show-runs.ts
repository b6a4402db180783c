import type { Context } from '../../command/context.ts';
import { nextCommand } from '../../command/next-command.ts';
import { type ListResult, list, status, time } from '../../output/result.ts';
import { quantity } from '../../text/quantity.ts';
import { runsOf } from '../journal/run-store.ts';
import { readRun, type ShownRun, shortRunName } from './shown-run.ts';

/** All runs, newest first, how far each is, and what they take on disk. */
export function showRuns(context: Context): ListResult {
  const store = runsOf(context);
  const rows = store.names().map((name) => readRun(store, name));
  rows.sort(({ begunAt: one = '' }, { begunAt: other = '' }) => other.localeCompare(one));
  const forPerson = context.system.stdout.isTTY === true;
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  return list<ShownRun>({
    pages: [{ reply: rows, rows }],
    rowsIn: undefined,
    columns: [
      { field: 'run', header: 'Run', cell: ({ run }) => (forPerson ? shortRunName(run) : run) },
      { field: 'state', header: 'State', cell: ({ state }) => status(state) },
      { field: 'file', header: 'File', cell: ({ file }) => file, flexible: true },
      { field: 'begunAt', header: 'Begun', cell: ({ begunAt }) => time(begunAt) },
      { field: 'emails', header: 'Emails', cell: ({ emails }) => emails },
      { field: 'accepted', header: 'Accepted', cell: ({ accepted }) => accepted },
      { field: 'rejected', header: 'Rejected', cell: ({ rejected }) => rejected, inDetails: true },
      { field: 'unknown', header: 'Unknown', cell: ({ unknown }) => unknown, inDetails: true },
      { field: 'left', header: 'Left', cell: ({ left }) => left },
    ],
    // All columns would leave none for the name that --forget needs.
    details: ({ run, rejected = 0, unknown = 0 }) =>
      rejected + unknown === 0
        ? undefined
        : {
            title: shortRunName(run),
            lines: [
              ['Rejected', rejected],
              ['Unknown', unknown],
            ],
          },
    id: ({ run }) => run,
    empty: `No runs. Their journals are in ${store.directory}`,
    note: () =>
      `${quantity(rows.length, 'run')}, ${inBytes(bytes)} in ${store.directory}. To delete one: ${nextCommand(context, 'email', 'batch', '--forget', 'RUN')}`,
  });
}

/** `340 kB`, `1.2 MB`. */
function inBytes(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const unit = ['bytes', 'kB', 'MB', 'GB'][power];
  const size = (bytes / 1000 ** power).toLocaleString('en', { maximumSignificantDigits: 3 });
  return `${size} ${unit}`;
}
