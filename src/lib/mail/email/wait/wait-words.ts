import type { Context } from '../../../command-line/command/context.ts';
import { nextCommand } from '../../../command-line/command/next-command.ts';
import { eventDetail, latestStatus } from '../events.ts';
import { namesIn, recipientsOf } from '../recipients.ts';
import type { Followed } from './follow.ts';

/** The state of a followed email: `SENT`, `DELIVERED for 1 of 2 recipients`, `scheduled for …`. */
export function stateInWords(followed: Followed, until: string): string {
  const { email, listed, outcome, copies } = followed;
  const listedAt = copies?.latestStatus === 'SCHEDULED' ? copies.scheduledAt : undefined;
  if (outcome.kind === 'open' && outcome.share !== undefined && outcome.share.reached > 0) {
    return `${until} for ${outcome.share.reached} of ${outcome.share.of} recipients`;
  }
  const status = listed?.latestStatus ?? latestStatus(email?.emailEvents ?? []);
  if (status !== undefined) return status;
  const at = followed.scheduledAt ?? listedAt;
  return at == null ? 'without a status' : `scheduled for ${at}`;
}

/** The last known status of a followed email; null if there is none. */
export function lastStatus(followed: Followed, until: string): string | null {
  return (followed.listed ?? followed.email) ? stateInWords(followed, until) : null;
}

/** What a followed email has not reached: `not DELIVERED`, `not for ben@example.org`. */
export function describeMissing({ outcome }: Followed, until: string): string {
  if (outcome.kind !== 'open' || !outcome.share?.reached) return `not ${until}`;
  return `not for ${outcome.missing?.join(', ') ?? 'all'}`;
}

/** How to keep waiting; but `email get` cannot wait for recipients that the service does not show. */
export function openHint(
  context: Pick<Context, 'flags' | 'system'>,
  { id, email, copies, sentTo = [] }: Followed,
  until: string,
): string {
  const shown = new Set(email === undefined ? [] : recipientsOf({ ...copies, ...email }));
  return sentTo.length > 1 && !sentTo.every((one) => shown.has(one))
    ? `Check its status: ${nextCommand(context, 'email', 'get', id)}`
    : `To keep waiting: ${nextCommand(context, 'email', 'get', id, `--wait=${until}`)}`;
}

/** Why an email failed, by event: its status, with the recipient if there are several. */
export function badEndsInWords({ email, outcome, sentTo }: Followed) {
  if (outcome.kind !== 'bad' || email === undefined) return [];
  const several = recipientsOf(email, sentTo).length > 1;
  return outcome.events.map((event) => {
    const names = namesIn(event);
    const why = [eventDetail(event), ...(several ? [] : names)].filter((part) => part !== '');
    return {
      what: several && names.length > 0 ? `${event.status} for ${names.join(', ')}` : event.status,
      why: why.join('; '),
    };
  });
}
