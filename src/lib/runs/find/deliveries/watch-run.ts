import { type MailerError, WaitFailedError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { firstPause, longerPause, type Polling } from '../../../command-line/command/poll.ts';
import { startWaiting } from '../../../command-line/command/waiting.ts';
import {
  type Column,
  type ListResult,
  list,
  type RecordResult,
  status,
} from '../../../command-line/output/result.ts';
import { shortRunName } from '../../bulk/journal/named-run.ts';
import { countsOf, deliveriesSummed, isWaiting } from '../../bulk/show/row-deliveries.ts';
import type { Deliveries, RowDelivery } from '../../bulk/show/run-shapes.ts';
import { showDeliveries } from '../../bulk/show/show-deliveries.ts';
import { runOf } from '../email-query.ts';
import { eventColumns } from '../found-columns.ts';
import { deliveriesOf, type Listed, lookUpRun, statusIn } from './deliveries.ts';

/** How far a run's emails are now: as counts, or as the rows with a status. */
export async function showRunDeliveries(
  context: Context,
  named: string,
  wanted: readonly string[] | undefined,
): Promise<ListResult | RecordResult> {
  const run = await runOf(context, named);
  const rows = await deliveriesOf(context, run.name, await lookUpRun(context, run));
  if (wanted !== undefined) return listDeliveries(rows, wanted);
  return showDeliveries(context, deliveriesSummed(run.name, rows));
}

const columns: readonly Column<RowDelivery>[] = [
  { field: 'row', header: 'Row' },
  { field: 'to', header: 'To', flexible: true },
  { field: 'emailId', header: 'Id' },
  { field: 'status', header: 'Status', cell: (one) => status(one.status) },
  ...eventColumns,
];

/** The rows of a run with one of these statuses, in lower case. */
function listDeliveries(rows: readonly RowDelivery[], wanted: readonly string[]): ListResult {
  const words = new Set(wanted);
  return list<RowDelivery>({
    pages: [{ rows: rows.filter((one) => words.has(one.status.toLowerCase())) }],
    columns,
    id: ({ emailId, row }) => emailId ?? String(row),
    empty: 'No rows have this status.',
  });
}

/** Follows a run's emails until none waits any more, and shows their counts. */
export async function watchRun(
  context: Context,
  named: string,
  polling: Polling,
): Promise<RecordResult> {
  const run = await runOf(context, named);
  const { name, ids } = run;
  let listed: Listed = new Map();
  const so = () => inWords(ids, listed);
  const waiting = startWaiting(context, { ...polling, now: so });
  const isOpen = () => [...ids].some((id) => isWaiting(statusIn(listed, id)));
  await context.progress.during('Waiting for the service', async () => {
    for (let pause = firstPause; ; ) {
      const before = so();
      listed = (await waiting.look(() => lookUpRun(context, run, listed))) ?? listed;
      waiting.report(so());
      pause = so() === before ? longerPause(pause) : firstPause;
      if (waiting.left() <= 0 || !isOpen()) return;
      await waiting.pause(polling.interval ?? pause);
    }
  });
  const counts = deliveriesSummed(name, await deliveriesOf(context, name, listed));
  const again = nextCommand(context, 'run', 'watch', shortRunName(name));
  return { ...showDeliveries(context, counts), failure: failureFrom(counts, isOpen()) };

  function failureFrom(counts: Deliveries, isOpen: boolean): MailerError | undefined {
    const { bounced, failed, emails } = counts;
    if (isOpen) {
      return waiting.timeIsUp({
        name: `run ${name}`,
        last: so(),
        hint: `To keep watching: ${again}`,
      });
    }
    if (bounced + failed === 0) return undefined;
    return new WaitFailedError(
      `${bounced + failed} of ${emails} emails of run ${name} did not arrive.`,
    );
  }
}

/** `180 of 200 delivered, 12 opened, 3 bounced, 5 waiting`. */
function inWords(ids: ReadonlySet<string>, listed: Listed): string {
  const statuses = [...ids].map((id) => statusIn(listed, id));
  const { emails, delivered, opened, bounced, failed, waiting } = countsOf(statuses);
  return [
    `${delivered} of ${emails} delivered`,
    ...(opened > 0 ? [`${opened} opened`] : []),
    ...(bounced > 0 ? [`${bounced} bounced`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${waiting} waiting`,
  ].join(', ');
}
