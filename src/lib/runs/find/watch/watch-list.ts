import { type MailerError, UsageError, WaitFailedError } from '../../../base/errors.ts';
import { localTime } from '../../../base/text/local-time.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import type { Polling } from '../../../command-line/command/poll.ts';
import { startWaiting } from '../../../command-line/command/waiting.ts';
import type { CellStyle } from '../../../command-line/output/cell-style.ts';
import { shownCell } from '../../../command-line/output/cells.ts';
import {
  type Column,
  type ListPage,
  type ListResult,
  list,
  status,
  time,
} from '../../../command-line/output/result.ts';
import { statusesGiven } from '../../../mail/email/statuses.ts';
import { emailQuery } from '../email-query.ts';
import type { FindFlags } from '../find-flags.ts';
import { foundColumns } from '../found-columns.ts';
import { type WatchedEmail, watchEmails } from './watch-emails.ts';

interface WatchFlags extends FindFlags {
  /** Milliseconds. */
  readonly untilIdle?: number | undefined;
  readonly count?: number | undefined;
  readonly failOn?: readonly string[] | undefined;
}

const columns: readonly Column<WatchedEmail>[] = [
  { field: 'seenAt', header: 'Seen', cell: ({ seenAt }) => time(seenAt) },
  { field: 'latestStatus', header: 'Status', cell: ({ latestStatus }) => status(latestStatus) },
  { field: 'previousStatus', header: 'Before', cell: (row) => status(row.previousStatus) },
  { field: 'id', header: 'Id' },
  { field: 'to', header: 'To' },
  { field: 'subject', header: 'Subject' },
];

/** New emails and changes of status as a growing list, until Ctrl-C or what the flags say. */
export async function watchList(
  context: Context,
  flags: WatchFlags,
  polling: Polling,
): Promise<ListResult> {
  const { untilIdle = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = flags;
  if (flags.until !== undefined) {
    throw new UsageError(
      '--until selects past emails; to end a watch, use --until-idle or --count',
    );
  }
  const failOn: readonly (string | null | undefined)[] = statusesGiven('--fail-on', flags.failOn);
  const query = await emailQuery(context, flags);
  const { system, notes } = context;
  let lastNews = system.monotonic();
  let failure: MailerError | undefined;
  const waiting = startWaiting(context, {
    ...polling,
    timeout: Number.POSITIVE_INFINITY,
    now: () => 'watching the emails',
  });
  const beyond = () =>
    notes.warnOnce(
      'More than 500 emails are on their way. Changes of the older ones are missed; to see them: mailer email list --pending',
    );
  notes.say(
    `Watching ${flags.since === undefined ? 'from now on' : `since ${flags.since}`}. A status that lasts only a moment can be missed; mailer email watch --help says what else.`,
  );

  async function* pages(): AsyncGenerator<ListPage<WatchedEmail>> {
    let shown = 0;
    const idleIn = () => Math.max(lastNews + untilIdle - system.monotonic(), 0);
    const patient = { ...waiting, pause: (ms: number) => waiting.pause(Math.min(ms, idleIn())) };
    const options = { waiting: patient, interval: polling.interval, beyond };
    for await (const found of watchEmails(context, query, options)) {
      const failed = found.findIndex(({ latestStatus }) => failOn.includes(latestStatus));
      const rows = found.slice(0, Math.min(failed < 0 ? found.length : failed + 1, count - shown));
      shown += rows.length;
      if (rows.length > 0) {
        lastNews = system.monotonic();
        waiting.report('');
        yield { rows };
      }
      const bad = rows[failed];
      if (failed >= 0 && bad !== undefined) failure = failedBy(context, bad);
      if (failure !== undefined || shown >= count) return;
      if (idleIn() > 0) continue;
      const away = waiting.outage();
      if (away !== undefined) {
        failure = waiting.timeIsUp({ name: 'the watch', last: null, hint: '' });
      }
      return;
    }
  }

  return list<WatchedEmail>({
    pages: pages(),
    joinPages: true,
    columns: query.events ? [...columns, ...foundColumns] : columns,
    id: ({ id }) => id,
    line: inLine,
    empty: 'Nothing has changed.',
    failure: () => failure,
  });
}

/** `10:00:05  BOUNCED  ana@example.org  Order 4  Permanent/General; …` */
function inLine(row: WatchedEmail, style: CellStyle): string {
  const at = localTime(new Date(row.seenAt), style.timeZone, { seconds: true });
  const cells = [status(row.latestStatus), row.to, row.subject, row.reason];
  return [at, ...cells.map((cell) => shownCell(cell, style))].filter(Boolean).join('  ');
}

function failedBy(context: Context, { id, latestStatus, to }: WatchedEmail): WaitFailedError {
  return new WaitFailedError(`Email ${id} to ${[to].flat().join(', ')} is ${latestStatus}.`, {
    hint: `Its history: ${nextCommand(context, 'email', 'get', id)}`,
  });
}
