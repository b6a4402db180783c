import { type MailerError, UnavailableError, WaitTimeoutError } from '../../base/errors.ts';
import { TransportError } from '../../base/system/wire.ts';
import { duration } from '../../base/text/time-in-words.ts';
import { isJson } from '../output/format.ts';
import type { Context } from './context.ts';
import {
  asSentence,
  firstPause,
  isTransient,
  lastLook,
  longerPause,
  type Polling,
  stillWaiting,
} from './poll.ts';

export type Waiting = ReturnType<typeof startWaiting>;

/** Requests with their limit, by the monotonic clock. */
type Requests<Value> = (options: { readonly deadline: number }) => Promise<Value>;

/** What is waited for, in words. */
export interface Awaited {
  /** Such as `email cm3k9x2f8000008l4`. */
  readonly name: string;
  /** Its last known status; null if there is none. */
  readonly last: string | null;
  /** A clause about how far it is, if that is more than the status. */
  readonly state?: string | undefined;
  /** How to keep waiting. */
  readonly hint: string;
}

export interface WaitOptions extends Polling {
  /** Whether the service has just responded, so that it exists and accepts the key. */
  readonly answered?: boolean;
  /** What is waited for and how far it is, for lines in between. */
  readonly now: () => string;
}

/** How often to see whether such a line is due, in milliseconds, while a request takes long. */
const tick = 1000;

/** Waits for something at the service, from the first request to the end of the time. */
export function startWaiting(
  context: Pick<Context, 'report' | 'notes' | 'progress' | 'format' | 'system'>,
  { timeout, heartbeat, answered = false, now }: WaitOptions,
) {
  const { system, notes, progress } = context;
  const started = system.monotonic();
  const end = started + timeout;
  const deadline = end + lastLook;
  let hasAnswered = answered;
  /** `since` in ISO 8601. */
  let outage: { readonly since: string; problem: MailerError } | undefined;
  let held: MailerError | undefined;
  let lastLine = started;

  /** Milliseconds since the wait began. */
  const elapsed = () => system.monotonic() - started;
  /** Milliseconds until it ends. */
  const left = () => end - system.monotonic();
  /** Writes a line about the wait, as `Context.report` does. */
  const report = (text: string, line?: string) => {
    if (context.report(text, line)) lastLine = system.monotonic();
  };
  const isSilent = () => progress.enabled || isJson(context.format());
  /** Milliseconds until a line is due. */
  const dueIn = () =>
    isSilent() ? Number.POSITIVE_INFINITY : lastLine + heartbeat - system.monotonic();
  const beat = () => {
    if (dueIn() > 0) return;
    lastLine = system.monotonic();
    const state =
      outage === undefined ? now() : `the service has been unavailable since ${outage.since}`;
    notes.say(`Still waiting after ${duration(elapsed())}: ${state}`);
  };

  const tryOnce = async <Value>(requests: Requests<Value>) => {
    const begun = system.monotonic();
    const date = new Date(system.now()).toISOString();
    const timer = setInterval(beat, tick);
    try {
      const value = await requests({ deadline });
      hasAnswered = true;
      outage = undefined;
      held = undefined;
      return { value };
    } catch (error) {
      const mayPass = isTransient(error) && (hasAnswered || error.details.lasts !== true);
      if (system.signal.aborted || !mayPass) throw error;
      // The service asked for a pause when it responded.
      if (error.details.asked !== undefined) held = error;
      // The last look has only a second, which says nothing about the service.
      else if (begun < end || outage !== undefined || !isCutOff(error)) {
        outage = { since: outage?.since ?? date, problem: error };
      }
      if (left() > 0) report(stillWaiting(error));
      return undefined;
    } finally {
      clearInterval(timer);
      beat();
    }
  };

  /** Waits until the next look, but not longer than the wait. */
  const pause = async (ms: number) => {
    // No request is allowed before its end.
    const least = held === undefined ? 0 : left();
    for (let rest = Math.min(Math.max(ms, least), left()); rest > 0; ) {
      const step = Math.min(rest, Math.max(dueIn(), 1));
      await system.sleep(step, system.signal);
      rest -= step;
      beat();
    }
  };

  /** Since when the service has not responded, and a sentence with the reason; undefined while it responds. */
  const outageInWords = () => {
    if (outage === undefined) return undefined;
    const { since, problem } = outage;
    const words = `The service has been unavailable since ${since}: ${asSentence(problem.message)}`;
    // If it is a page, the URL may be wrong.
    return {
      since,
      words,
      hint: problem.details.lasts === false ? problem.details.hint : undefined,
    };
  };

  /** The error if the wait has ended without a result: whether in vain, or without responses. */
  const timeIsUp = ({ name, last, state, hint }: Awaited) => {
    const away = outageInWords();
    if (away === undefined) {
      const why = held === undefined ? '' : ` ${asSentence(held.message)}`;
      return new WaitTimeoutError(
        `The wait timed out: ${name} is ${state ?? last ?? 'without a status'}.${why}`,
        {
          hint,
        },
      );
    }
    const known =
      last === null
        ? `The status of ${name} is not known.`
        : `The last known status of ${name} is ${last}.`;
    return new UnavailableError(`${away.words} ${known}`, {
      unreachableSince: away.since,
      last,
      hint: [away.hint ?? [], hint].flat().join('\n'),
    });
  };

  return {
    elapsed,
    left,
    report,
    pause,
    timeIsUp,
    outage: outageInWords,
    /**
     * The result of requests; undefined, which is reported, if the service does not respond or is busy. Before its
     * first response, what would fail again is thrown, such as a name that does not exist; other errors always are.
     */
    look: async <Value>(requests: Requests<Value>) => (await tryOnce(requests))?.value,
    /** The result of requests that are repeated until the service responds. Throws what `timeIsUp` returns. */
    async insist<Value>(requests: Requests<Value>, awaited: Awaited): Promise<Value> {
      for (let next = firstPause; ; next = longerPause(next)) {
        const bestEffort = await tryOnce(requests);
        if (bestEffort !== undefined) return bestEffort.value;
        if (left() <= 0) throw timeIsUp(awaited);
        await pause(next);
      }
    },
  };
}

/** Whether a request was ended by the end of the wait. */
function isCutOff({ details: { cause } }: MailerError): boolean {
  return cause instanceof TransportError && cause.timedOut;
}
