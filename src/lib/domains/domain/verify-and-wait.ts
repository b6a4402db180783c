import type { Domain } from '../../../api/domain.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { firstPause, longerPause, type Polling } from '../../command-line/command/poll.ts';
import { startWaiting } from '../../command-line/command/waiting.ts';
import { createDomainRefresh, findDomain } from './find-domain.ts';
import { afterStart, startVerification } from './verification.ts';

/** The outcome of a verification that was waited for. */
export interface Verified {
  readonly outcome: 'success' | 'failed' | 'timeout' | 'unreachable';
  /** The domain as last fetched. */
  readonly domain: Domain;
  /** Seconds since the start of the verification. */
  readonly seconds: number;
  /** Whether the domain was verified already, so that no verification was started. */
  readonly already: boolean;
  /** Since when the service has not responded, ISO 8601; null if it responded to the end. */
  readonly unreachableSince: string | null;
}

/**
 * Starts the verification of a domain, given by id or name, and checks it at growing intervals, until it has
 * ended or time is up. A verified domain is left alone, unless `force` is set. Every check is reported. If the
 * service is unreachable, it keeps waiting; other errors say whether the verification was started.
 */
export async function verifyAndWait(
  context: Context,
  named: string,
  { interval, force, ...polling }: Polling & { readonly force: boolean },
) {
  const { progress } = context;
  let domain: Domain | undefined;
  const waiting = startWaiting(context, {
    ...polling,
    interval,
    now: () => (domain === undefined ? visible(named) : stateOf(domain)),
  });
  const awaited = () => {
    const again = domain?.status === 'SUCCESS' ? ['--force'] : [];
    return {
      name: visible(domain?.name ?? named),
      last: domain?.status ?? null,
      state: domain && unfinished(domain),
      hint: `To keep waiting: ${nextCommand(context, 'domain', 'verify', domain?.name ?? named, '--wait', ...again)}`,
    };
  };
  const verify = async (): Promise<Verified> => {
    const before = await waiting.insist((limit) => findDomain(context, named, limit), awaited());
    if (before.status === 'SUCCESS' && !force) return ended('success', before, 0, true);
    domain = before;
    const { id, name } = before;
    const look = createDomainRefresh(context);
    const started = waiting.elapsed();
    // The list may not say when the records were looked up.
    let last = await waiting.insist((limit) => look(id, limit), awaited());
    domain = last;
    const judge = createVerificationJudge(last);
    await waiting.insist((limit) => startVerification(context, id, name, limit), awaited());
    try {
      for (let pause = interval ?? firstPause; ; pause = interval ?? longerPause(pause)) {
        const seen = await waiting.look((limit) => look(id, limit));
        const elapsed = waiting.elapsed() - started;
        const seconds = Math.round(elapsed) / 1000;
        if (seen !== undefined) {
          last = domain = seen;
          waiting.report(stateOf(seen));
          const outcome = judge(seen, elapsed);
          if (outcome !== undefined) return ended(outcome, seen, seconds);
        }
        if (waiting.left() <= 0) return ended('timeout', last, seconds);
        await waiting.pause(pause);
      }
    } catch (error) {
      throw afterStart(error, context, name);
    }
  };
  const ended = (
    outcome: Verified['outcome'],
    last: Domain,
    seconds: number,
    already = false,
  ): Verified => {
    const unreachableSince = (outcome === 'timeout' && waiting.outage()?.since) || null;
    return {
      outcome: unreachableSince === null ? outcome : 'unreachable',
      ...{ domain: last, seconds, already, unreachableSince },
    };
  };
  const verified = await progress.during(`Verifying ${visible(named)}`, verify);
  const isOpen = !['success', 'failed'].includes(verified.outcome);
  return { verified, timeIsUp: isOpen ? waiting.timeIsUp(awaited()) : undefined };
}

/** How far a verification is whose time is up. */
function unfinished({ status, isVerifying }: Domain): string {
  if (isVerifying === true) return 'still being verified';
  return status === 'SUCCESS' ? 'not verified again yet' : `${status}, not SUCCESS`;
}

/** The status of a domain and of each of its records, on one line. */
function stateOf({ name, status, isVerifying, dnsRecords }: Domain): string {
  const records = dnsRecords.map((one) => `${one.type} ${one.name} ${one.status ?? 'unknown'}`);
  const verifying = isVerifying === true ? ', being verified' : '';
  return [`${name}: ${status}${verifying}`, records.join(', ')].filter(Boolean).join('; ');
}

/** After this many milliseconds, a verification that has left no trace is assumed to be over. */
const unnoticed = 60_000;
/** How long a service may take to show that a verification has started, in milliseconds. */
const settling = 5000;

/**
 * Judges the outcome of a verification that started when the domain was as in `before`; undefined while it is
 * under way. `elapsed` is in milliseconds since the start.
 *
 * The service may still show the outcome of an earlier verification. A status counts if it has changed, if
 * records were looked up since `before`, or if no verification is under way any more: one was seen, or had
 * enough time to end unseen, which is shorter for SUCCESS than for FAILED. Some servers leave `isVerifying`
 * set after a failure, so it does not decide alone.
 */
function createVerificationJudge(
  before: Domain,
): (now: Domain, elapsed: number) => 'success' | 'failed' | undefined {
  let checked = before.lastCheckedTime || undefined;
  let fresh = false;
  let seen = false;
  return (now, elapsed) => {
    const verifying = now.isVerifying === true;
    const last = now.lastCheckedTime || undefined;
    // Lists do not say when records were looked up, so the first time that is seen may be an old one.
    checked ??= last;
    fresh ||= now.status !== before.status || (last !== undefined && last !== checked);
    seen ||= verifying;
    const over = (patience: number) => fresh || (!verifying && (seen || elapsed >= patience));
    if (now.status === 'SUCCESS') return over(settling) ? 'success' : undefined;
    if (now.status === 'FAILED') return over(unnoticed) ? 'failed' : undefined;
    return undefined;
  };
}
