import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { type RecordResult, record, section, status } from '../../../command-line/output/result.ts';
import { shortRunName } from '../journal/named-run.ts';
import type { Deliveries } from './run-shapes.ts';

/** The counts of a run, and below them its failures in groups. */
export function showDeliveries(context: Context, counts: Deliveries): RecordResult {
  const { run, groups } = counts;
  const some = groups[0]?.status;
  const rows = nextCommand(context, 'run', 'get', shortRunName(run), '--status', some ?? 'BOUNCED');
  return record({
    reply: counts,
    quiet: run,
    rows: [
      ['run', 'Run', run],
      ['emails', 'Emails', counts.emails],
      ['delivered', 'Delivered', counts.delivered],
      ['opened', 'Opened', counts.opened],
      ['complained', 'Complained', counts.complained],
      ['bounced', 'Bounced', counts.bounced],
      ['failed', 'Failed', counts.failed],
      ['waiting', 'Waiting', counts.waiting],
      ['unlisted', 'Not listed', counts.unlisted],
      ['unsent', 'Not sent', counts.unsent],
    ],
    sections: [
      section<Deliveries['groups'][number]>({
        title: 'Failures',
        field: 'groups',
        columns: [
          { field: 'rows', header: 'Rows' },
          { field: 'status', header: 'Status', cell: (group) => status(group.status) },
          { field: 'reason', header: 'Reason', folds: true, flexible: true },
          { field: 'to', header: 'To', folds: true, flexible: true },
        ],
        rows: groups,
        empty: 'Nothing has failed.',
      }),
    ],
    ...(some === undefined ? {} : { note: `The rows of a group: ${rows}` }),
  });
}
