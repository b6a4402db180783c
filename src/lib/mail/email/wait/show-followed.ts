import type { Email, EmailEvent, EmailListItem } from '../../../../api/email.ts';
import {
  type MailerError,
  PartialError,
  UnavailableError,
  WaitFailedError,
  WaitTimeoutError,
} from '../../../base/errors.ts';
import { localTime } from '../../../base/text/local-time.ts';
import { quantity } from '../../../base/text/quantity.ts';
import { visible } from '../../../base/text/visible.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Waiting } from '../../../command-line/command/waiting.ts';
import {
  type Column,
  type LabelledCell,
  type ListResult,
  list,
  status,
  time,
} from '../../../command-line/output/result.ts';
import { eventDetail, inOrder, latestStatus } from '../events.ts';
import { namesIn } from '../recipients.ts';
import { type Followed, isUndecided } from './follow.ts';
import { badEndsInWords, describeMissing, openHint, stateInWords } from './wait-words.ts';

/** The time zone for times, and whether to show the offset from UTC. */
interface Zone {
  readonly timeZone: string;
  readonly offset: boolean;
}

/** What the end of a wait says. */
export interface EndOfWait {
  readonly until: string;
  /** A sentence about emails that were not accepted, if any. */
  readonly shortfall: string | undefined;
  /** The command that watches all of them, for a failure that counts emails instead of naming their ids. */
  readonly watch: string | undefined;
}

/** A row: an email as last fetched, or its id alone if it never could be fetched. */
type Row = Email | EmailListItem | { readonly id: string };

/**
 * A list of followed emails, with its failure: a failed email takes precedence over a timeout, because
 * waiting longer cannot change it.
 */
export function showFollowed(
  context: Pick<Context, 'flags' | 'system'>,
  { rows: followed, waiting }: { readonly rows: readonly Followed[]; readonly waiting: Waiting },
  zone: Zone,
  ending: EndOfWait,
): ListResult {
  const { until } = ending;
  const rows = followed.map(({ id, email, listed }): Row => listed ?? email ?? { id });
  const byRow = new Map(followed.map((one, index) => [rows[index], one]));
  const of = (row: Row): Followed => byRow.get(row) ?? { id: row.id, outcome: { kind: 'open' } };
  const failure = failureFrom(context, followed, waiting, ending);
  return list<Row>({
    pages: [{ rows }],
    rowsIn: 'data',
    columns: columnsFor(of, until),
    id: ({ id }) => id,
    details: (row) => timeline(of(row), zone),
    empty: 'No emails.',
    note: () => (failure === undefined ? summary(followed, until) : []),
    failure,
  });
}

function columnsFor(of: (row: Row) => Followed, until: string): readonly Column<Row>[] {
  return [
    { field: 'id', header: 'Id' },
    {
      field: 'to',
      header: 'To',
      cell: (row) => (of(row).listed ?? of(row).email)?.to,
      flexible: true,
    },
    {
      field: 'status',
      header: 'Status',
      cell: (row) => status(of(row).listed?.latestStatus ?? lastEvent(of(row))?.status),
      computed: true,
    },
    {
      field: 'when',
      header: 'When',
      cell: (row) => time(lastEvent(of(row))?.createdAt, { seconds: true }),
      computed: true,
    },
    {
      field: 'detail',
      header: 'Detail',
      cell: (row) => detail(of(row), until),
      computed: true,
      flexible: true,
    },
  ];
}

/** The event that gave an email its status; undefined if only the list was asked. */
export function lastEvent({ email, listed, outcome }: Followed): EmailEvent | undefined {
  // The list does not say when.
  if (listed !== undefined) return undefined;
  if (outcome.kind === 'bad') return outcome.events[0];
  const events = email?.emailEvents ?? [];
  const latest = latestStatus(events);
  return inOrder(events).findLast((event) => event.status === latest);
}

function detail(followed: Followed, until: string): string {
  const { outcome } = followed;
  const event = lastEvent(followed);
  switch (outcome.kind) {
    case 'reached':
      return event === undefined ? '' : joined([eventDetail(event), ...namesIn(event)]);
    case 'bad':
      return joined(
        badEndsInWords(followed).map(({ what, why }) =>
          what === event?.status ? why : [what, why].filter((part) => part !== '').join(': '),
        ),
      );
    case 'open':
      return `${stateInWords(followed, until)}, ${describeMissing(followed, until)}`;
  }
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

/** The history of one email, a line per event; undefined if there is none. */
function timeline({ id, email }: Followed, { timeZone, offset }: Zone) {
  if (email === undefined || email.emailEvents.length === 0) return undefined;
  const lines = inOrder(email.emailEvents).map((event): LabelledCell => {
    const date = new Date(event.createdAt);
    const when = Number.isNaN(date.getTime())
      ? visible(event.createdAt)
      : localTime(date, timeZone, { seconds: true, offset });
    return [when, joined([event.status, ...namesIn(event), eventDetail(event)])];
  });
  return { title: id, lines };
}

/** How many of the emails have reached the status. */
function summary(followed: readonly Followed[], until: string): string {
  const reached = followed.filter(({ outcome }) => outcome.kind === 'reached');
  return `${until}: ${reached.length} of ${followed.length} emails.`;
}

function failureFrom(
  context: Pick<Context, 'flags' | 'system'>,
  followed: readonly Followed[],
  waiting: Waiting,
  { until, shortfall, watch }: EndOfWait,
): MailerError | undefined {
  const ids = (some: readonly Followed[]) =>
    watch === undefined ? some.map(({ id }) => id).join(', ') : quantity(some.length, 'email');
  const bad = followed.filter(({ outcome }) => outcome.kind === 'bad');
  const open = followed.filter(isUndecided);
  // Without responses at the end, what was seen before is no longer certain.
  const outage = waiting.outage();
  const unknown = open.filter(
    ({ email, listed }) => outage !== undefined || (listed ?? email) === undefined,
  );
  const late = open.filter((one) => !unknown.includes(one));
  const [first] = open;
  const again = (one: Followed) =>
    watch === undefined ? openHint(context, one, until) : `To keep watching: ${watch}`;
  const sum = summary(followed, until);
  const message = [
    ...(shortfall === undefined ? [] : [shortfall]),
    sum,
    ...(bad.length === 0 ? [] : [`Failed: ${ids(bad)}.`]),
    ...(late.length === 0 ? [] : [`Timed out: ${ids(late)}.`]),
    ...(unknown.length === 0 ? [] : [`Unknown: ${ids(unknown)}.`]),
    ...(outage === undefined ? [] : [outage.words]),
  ].join(' ');
  const details = {
    hint: first && [outage?.hint ?? [], again(first)].flat().join('\n'),
    ...(outage && { unreachableSince: outage.since, last: sum.replace(/\.$/, '') }),
  };
  if (bad.length > 0) return new WaitFailedError(message, details);
  if (outage !== undefined) return new UnavailableError(message, details);
  if (first !== undefined) return new WaitTimeoutError(message, details);
  return shortfall === undefined ? undefined : new PartialError(message);
}
