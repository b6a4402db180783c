import type { EmailEvent, EmailListItem } from '../../../api/email.ts';
import { BadReplyError, NotFoundError, when } from '../../base/errors.ts';
import { exactFields } from '../../base/json/exact-numbers.ts';
import type { Context } from '../../command-line/command/context.ts';
import { isObject } from '../../command-line/output/fields.ts';
import { affectedBy, anyTrouble, type TroubleCriteria, troublesIn } from './affected.ts';
import { diagnosisOf, eventDetail, inOrder, latestStatus } from './events.ts';
import { inParallel } from './in-parallel.ts';
import type { LastEvent } from './last-event-shape.ts';

/** An email as listed, perhaps with what its history says. */
export type FoundEmail = EmailListItem &
  Partial<LastEvent> & {
    /** For whom it failed, and who complained; null if its history does not tell. */
    readonly affected?: readonly string[] | null;
  };

/** The event that gave an email its status, which is the last one of the highest rank. */
export function lastEventOf(events: readonly EmailEvent[] = []): LastEvent {
  const status = latestStatus(events);
  const event = inOrder(events).findLast((one) => one.status === status);
  const data = isObject(event?.data) ? event.data : {};
  return {
    lastEvent: status ?? null,
    lastEventAt: event?.createdAt ?? null,
    reason: textOf(event && eventDetail(event)),
    bounceType: textOf(data.bounceType),
    bounceSubType: textOf(data.bounceSubType),
    diagnostic: textOf(event && diagnosisOf(event)),
    complaint: textOf(data.complaintFeedbackType),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** These emails with their histories, in the same order; without one that the service no longer has. */
export async function fetchHistories<Row extends { readonly id: string }>(
  { call, progress }: Pick<Context, 'call' | 'progress'>,
  rows: readonly Row[],
): Promise<{ readonly row: Row; readonly events: readonly EmailEvent[] | undefined }[]> {
  let fetched = 0;
  return await progress.during('', () =>
    inParallel(rows, async (row) => {
      const events = await historyOf(call, row.id);
      fetched++;
      progress.update(`Fetched the events of ${fetched} of ${rows.length} emails`);
      return { row, events };
    }),
  );
}

/** An email whose history was fetched, and whether it has the trouble that is wanted. */
export interface ExaminedHistory<Row> {
  readonly email: Row & LastEvent & Pick<FoundEmail, 'affected'>;
  readonly isTroubled: boolean;
}

/**
 * These emails with their last events, in the same order: a request each. A trouble that is wanted counts before
 * what happened for other recipients.
 */
export async function withLastEvents<Row extends EmailListItem>(
  context: Pick<Context, 'call' | 'progress'>,
  rows: readonly Row[],
  wanted: TroubleCriteria | undefined,
): Promise<ExaminedHistory<Row>[]> {
  const histories = await fetchHistories(context, rows);
  return histories.map(({ row, events }) => withLastEvent(row, events, wanted));
}

/** An email with the last of these events. */
export function withLastEvent<Row extends EmailListItem>(
  row: Row,
  events: readonly EmailEvent[] = [],
  wanted: TroubleCriteria | undefined,
): ExaminedHistory<Row> {
  const troubles = troublesIn(events, wanted ?? anyTrouble);
  const isTroubled = wanted !== undefined && troubles.length > 0;
  const last = lastEventOf(isTroubled ? troubles : events);
  const email = withFields(row, { ...last, affected: affectedBy(troubles, row) });
  return { email, isTroubled };
}

/** A row with more fields; its numbers stay as the service wrote them. */
export function withFields<Row extends object, More extends object>(
  row: Row,
  more: More,
): Row & More {
  // The exact fields are those of the row.
  return { ...exactFields(row), ...more } as Row & More;
}

async function historyOf(call: Context['call'], emailId: string) {
  const { emailIdInPath } = await import('../../../api/email.ts');
  if (!emailIdInPath.safeParse(emailId).success) {
    throw new BadReplyError(
      `The service lists an email with an invalid id: ${JSON.stringify(emailId)}`,
    );
  }
  const asked = call('email.get', { params: { emailId } });
  // Perhaps deleted since it was listed.
  const email = await asked.catch(when(NotFoundError, () => undefined));
  return email?.emailEvents;
}
