import type { EmailListItem, SendBody } from '../../../../api/email.ts';
import { limits } from '../../../../api/limits.ts';
import type { Input, Reply } from '../../../../api/operations.ts';
import type { System } from '../../../base/system/system.ts';
import type { Clocks, Moment } from '../../../service/http/clocks.ts';
import { type Begun, matchEmails } from './match-emails.ts';

interface LookOptions {
  /** Lists a page of emails; `clocks` hear its response. */
  readonly list: (input: Input<'email.list'>) => Promise<Reply<'email.list'>>;
  readonly clocks: Clocks;
  readonly system: Pick<System, 'monotonic' | 'sleep' | 'signal'>;
  readonly report: (text: string) => void;
}

/** A request without a response. */
interface LostRequest {
  readonly emails: readonly SendBody[];
  readonly begun: Moment;
  /** Whether an email is certainly of another request. */
  readonly isOthers: (id: string) => boolean;
  /** Counts, at this moment, by how many requests without a response an email with a signature may be owned. */
  readonly owners: () => (signature: string) => number;
}

/** Milliseconds for which services lock the key of a request while they carry it out. */
const lock = limits.idempotencyLockSeconds * 1000;
/** Within this time, it is repeated without a look: the service tells by itself. */
const safelyRepeated = lock / 2;
/** Milliseconds between two looks, which must agree. */
const betweenLooks = 10_000;
/** Milliseconds after its beginning in which a request may still create emails. */
export const longestWork = 3_600_000;
/** Milliseconds by which the service's clock may differ from its own `Date`. */
const slack = 5_000;
/** Milliseconds by which our clock may differ from the service's; and if it is wrong, by which it may be. */
const slackIfRight = 60_000;
const slackIfWrong = 12 * 3_600_000;

/** Whether a request must be looked for before it is repeated. */
export function mustLook(begun: Moment, clocks: Clocks): boolean {
  return Math.max(...since(begun, clocks.latest())) > safelyRepeated;
}

/**
 * Looks for the emails of requests without a response, before they are repeated: once the service no longer locks
 * its key, a request that is still at work would be carried out a second time. A look that fails is an error,
 * because it proves nothing.
 */
export function createLook({ list, clocks, system, report }: LookOptions) {
  /** The emails that the service created since then, newest first. */
  const listed = async (begun: Moment, isRunning: () => boolean): Promise<EmailListItem[]> => {
    const until = (begun.service ?? begun.here + slackIfWrong) + longestWork;
    const isOver = until < (clocks.latest().service ?? clocks.latest().here);
    const query = {
      limit: limits.emailsPerPage.max,
      ...(isOver ? { endDate: new Date(until).toISOString() } : {}),
    };
    const found = new Map<string, EmailListItem>();
    for (let page = 1; isRunning(); page++) {
      const { data } = await list({ query: { ...query, page } });
      for (const item of data) found.set(item.id, item);
      const oldest = Date.parse(data.at(-1)?.createdAt ?? '');
      if (data.length < query.limit || oldest < beginnings(begun, clocks.latest()).earliest) break;
    }
    return [...found.values()];
  };

  const look = async (lost: LostRequest, isRunning: () => boolean): Promise<Begun> => {
    const items = (await listed(lost.begun, isRunning)).filter(({ id }) => !lost.isOthers(id));
    const { latest, earliest } = beginnings(lost.begun, clocks.latest());
    const owners = lost.owners();
    const matched = (begun: number) => {
      const later = items.filter(({ createdAt }) => !(Date.parse(createdAt ?? '') < begun));
      return matchEmails(lost.emails, later, owners);
    };
    const found = matched(latest);
    // Which emails are from before the request depends on a clock that was wrong at some time.
    return isSame(found, matched(earliest)) ? found : { kind: 'unclear' };
  };

  /** Looks until it is certain what the service has; undefined as soon as `isRunning` returns false. */
  return async (
    lost: LostRequest,
    isRunning: () => boolean = () => true,
  ): Promise<Begun | undefined> => {
    report('A response was lost. Checking which emails the service has, before any is sent again');
    const started = system.monotonic();
    let before: Begun | undefined;
    for (;;) {
      const found = await look(lost, isRunning);
      if (!isRunning()) return undefined;
      // If the clocks disagree, it has waited long enough itself.
      const isLockOver =
        Math.min(...since(lost.begun, clocks.earliest())) >= lock ||
        system.monotonic() - started >= lock;
      const agrees = before !== undefined && isSame(before, found);
      if (found.kind === 'all' || found.kind === 'unclear' || (isLockOver && agrees)) return found;
      before = found;
      await system.sleep(betweenLooks, system.signal);
    }
  };
}

/**
 * When a request began by the service's clock, at the latest and at the earliest. If that was not known then, it
 * follows from what the clocks show now, unless they disagree: ours may have been set in between.
 */
function beginnings({ here, service }: Moment, now: Moment) {
  if (service !== undefined) return { latest: service - slack, earliest: service - slack };
  const ahead = now.service === undefined ? undefined : now.service - now.here;
  if (ahead !== undefined && Math.abs(ahead) <= slackIfRight) {
    return { latest: here + ahead - slack, earliest: here + ahead - slack };
  }
  return { latest: here + Math.max(0, ahead ?? 0) - slack, earliest: here - slackIfWrong };
}

/** Milliseconds between two moments by each clock, whichever way they were set. */
function since(begun: Moment, now: Moment): number[] {
  const here = Math.abs(now.here - begun.here);
  if (begun.service === undefined || now.service === undefined) return [here];
  return [here, Math.abs(now.service - begun.service)];
}

function isSame(one: Begun, other: Begun): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
