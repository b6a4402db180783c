import type { Domain } from '../../api/domain.ts';
import type { Context } from '../command/context.ts';
import {
  firstPause,
  isPassing,
  lastLook,
  longerPause,
  type Polling,
  stillWaiting,
} from '../command/poll.ts';
import { createVerificationJudge } from './outcome.ts';
import { createDomainRefresh } from './resolve.ts';
import { afterStart, startVerification } from './verification.ts';

/** The outcome of a verification that was waited for. */
export interface Verified {
  readonly outcome: 'success' | 'failed' | 'timeout';
  /** The domain as last fetched. */
  readonly domain: Domain;
  /** Seconds since the start of the verification. */
  readonly seconds: number;
  /** Whether the domain was verified already, so that no verification was started. */
  readonly already: boolean;
}

/**
 * Starts the verification of a domain and checks it at growing intervals, until it has ended or time is up. A
 * verified domain is left alone, unless `force` is set. Every check is reported. If the service is
 * unreachable, it keeps waiting; other errors say that the verification was started.
 */
export async function verifyAndWait(
  context: Pick<Context, 'call' | 'flags' | 'system'>,
  before: Domain,
  { timeout, interval, force }: Polling & { readonly force: boolean },
  report: (text: string) => void,
): Promise<Verified> {
  const { system } = context;
  if (before.status === 'SUCCESS' && !force) {
    return { outcome: 'success', domain: before, seconds: 0, already: true };
  }
  const started = system.monotonic();
  const elapsed = () => system.monotonic() - started;
  const deadline = started + timeout + lastLook;
  const look = createDomainRefresh(context);
  // The list, where `before` comes from, may not say when the records were looked up.
  let domain = await look(before.id, { deadline });
  const judge = createVerificationJudge(domain);
  await startVerification(context, before.id, before.name, { deadline });
  const ended = (outcome: Verified['outcome']): Verified => {
    return { outcome, domain, seconds: Math.round(elapsed()) / 1000, already: false };
  };
  for (let pause = interval ?? firstPause; ; pause = interval ?? longerPause(pause)) {
    try {
      domain = await look(before.id, { deadline });
      report(stateOf(domain));
      const outcome = judge(domain, elapsed());
      if (outcome !== undefined) return ended(outcome);
    } catch (error) {
      if (system.signal.aborted || !isPassing(error)) throw afterStart(error, context, before.name);
      report(stillWaiting(error));
    }
    const left = timeout - elapsed();
    if (left <= 0) return ended('timeout');
    await system.sleep(Math.min(pause, left), system.signal).catch((error) => {
      throw afterStart(error, context, before.name);
    });
  }
}

/** The status of a domain and of each of its records, on one line. */
function stateOf({ name, status, isVerifying, dnsRecords }: Domain): string {
  const records = dnsRecords.map((one) => `${one.type} ${one.name} ${one.status ?? 'unknown'}`);
  const verifying = isVerifying === true ? ', being verified' : '';
  return [`${name}: ${status}${verifying}`, records.join(', ')].filter(Boolean).join('; ');
}
