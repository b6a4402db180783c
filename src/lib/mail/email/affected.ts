import { addressees } from '../../../api/addressees.ts';
import type { EmailEvent, EmailListItem } from '../../../api/email.ts';
import { type EmailStatus, emailStatuses } from '../../../api/email-status.ts';
import { isObject } from '../../command-line/output/fields.ts';
import { namedIn } from './recipients.ts';
import { failedStatuses } from './statuses.ts';

/** What is wrong with the emails that are wanted. */
export interface TroubleCriteria {
  readonly statuses: readonly EmailStatus[];
  /** The kind of bounce that counts; any, if undefined. */
  readonly bounce: 'Permanent' | 'Transient' | undefined;
}

/** Everything for which a recipient may be on a list of those not to mail again. */
export const anyTrouble: TroubleCriteria = {
  statuses: [...failedStatuses, 'COMPLAINED'],
  bounce: undefined,
};

/** What the service decides for an email as a whole, so that it concerns each recipient. */
const ofWhole: readonly string[] = ['RENDERING_FAILURE', 'REJECTED', 'FAILED'];

/** The statuses of an email to several people that may hide the trouble of one of them: those of a higher rank. */
export function hidingStatuses({ statuses }: TroubleCriteria): ReadonlySet<string> {
  const ranks = statuses
    .filter((one) => !ofWhole.includes(one))
    .map((one) => emailStatuses.indexOf(one));
  return new Set(ranks.length === 0 ? [] : emailStatuses.slice(Math.min(...ranks) + 1));
}

export function hasSeveralRecipients(email: EmailListItem): boolean {
  return [email.to, email.cc, email.bcc].flat().filter(Boolean).length > 1;
}

/** The events of a wanted trouble. A bounce is not transient for a recipient who also has a permanent one. */
export function troublesIn(
  events: readonly EmailEvent[],
  { statuses, bounce }: TroubleCriteria,
): EmailEvent[] {
  const permanent = events.filter((one) => bounceTypeOf(one) === 'Permanent');
  const isWantedBounce = (event: EmailEvent) =>
    bounceTypeOf(event) === bounce &&
    (bounce === 'Permanent' || !permanent.some((one) => mayShareRecipient(one, event)));
  return events.filter((event) => {
    if (!statuses.some((one) => one === event.status)) return false;
    return event.status !== 'BOUNCED' || bounce === undefined || isWantedBounce(event);
  });
}

/** The recipients whom these events concern, as bare addresses; null if none tells which of several it is about. */
export function affectedBy(
  troubles: readonly EmailEvent[],
  email: EmailListItem,
): readonly string[] | null {
  const all = addressees(email);
  const concerned = (status: string) => (all.length === 1 || ofWhole.includes(status) ? all : []);
  const of = troubles.map((event) => {
    const named = namedIn(event);
    return named.length > 0 ? named : concerned(event.status);
  });
  const { latestStatus } = email;
  const isSaid = anyTrouble.statuses.some((one) => one === latestStatus);
  // The service has no history, or not yet.
  if (troubles.length === 0 && isSaid) of.push(concerned(latestStatus ?? ''));
  const affected = [...new Set(of.flat())];
  return affected.length === 0 && of.length > 0 ? null : affected;
}

function bounceTypeOf({ status, data }: EmailEvent): unknown {
  return status === 'BOUNCED' && isObject(data) ? data.bounceType : undefined;
}

function mayShareRecipient(one: EmailEvent, other: EmailEvent): boolean {
  const [some, others] = [namedIn(one), namedIn(other)];
  return some.length === 0 || others.length === 0 || some.some((name) => others.includes(name));
}
