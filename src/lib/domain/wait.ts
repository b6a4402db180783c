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

/** How a verification that was waited for ended. */
export interface Verified {
  readonly outcome: 'success' | 'failed' | 'timeout';
  /** The domain as it was last seen. */
  readonly domain: Domain;
  /** From the start of the verification. */
  readonly seconds: number;
  /** Whether it was verified before, so that no verification was started. */
  readonly already: boolean;
}

/**
 * Starts the verification of a domain and checks it, at growing intervals, until it has ended or time is
 * up. A verified one is left alone, unless with `force`. Each look since the start is reported. An
 * unreachable service is a reason to keep waiting; other errors say that the verification was started.
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
  // The list, where `before` is from, may not say when the records were looked at.
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

/** The state of a domain and of each of its records, on one line. */
function stateOf({ name, status, isVerifying, dnsRecords }: Domain): string {
  const records = dnsRecords.map((one) => `${one.type} ${one.name} ${one.status ?? 'unknown'}`);
  const verifying = isVerifying === true ? ', being verified' : '';
  return [`${name}: ${status}${verifying}`, records.join(', ')].filter(Boolean).join('; ');
}
