import { limits } from '../../../api/limits.ts';
import type { Repeat } from '../../../api/operation.ts';
import { MailerError, type Problem, problemOf } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import {
  bodyText,
  type Transport,
  TransportError,
  type WireReply,
  type WireRequest,
} from '../../base/system/wire.ts';
import { shortened } from '../../base/text/shortened.ts';
import { waitInWords } from '../../base/text/time-in-words.ts';
import { type Exchanged, stillInProgress, type Unaccepted } from './outcome.ts';
import { askedPause, type Pacing, type Turn } from './pacing.ts';
import { redact, withoutKey } from './redact.ts';
import { problemOfReply, requestIdOf } from './reply.ts';
import type { Trace } from './trace.ts';

/** What a caller can choose for one exchange. */
export interface ExchangeOptions {
  /**
   * When the exchange ends, even without a response, by the monotonic clock. It then limits the pauses that
   * the service asks for, too. Default: never; the pauses count against the timeout of the request.
   */
  readonly deadline?: number | undefined;
  /** Awaited before every request, retries included. */
  readonly turn?: (() => Promise<void>) | undefined;
  /**
   * Called before each request, retries and redirects included. An error it throws ends the
   * exchange.
   */
  readonly onSend?: (() => void) | undefined;
  /** Called with every response as it arrives, including those that lead to a retry. */
  readonly onResponse?: ((reply: WireReply) => void) | undefined;
}

interface ExchangePolicy extends ExchangeOptions {
  /** Of each request, in milliseconds. */
  readonly timeout: number;
  /** Most retries after the first request. */
  readonly retries: number;
  readonly repeat: Repeat;
  /** See `Operation.beyond`. Then a 500 is not temporary, and the request is not retried. */
  readonly beyond?: true | undefined;
  /**
   * Whether the idempotency key was made for this request, so that no other request can have used
   * it.
   */
  readonly keyIsNew: boolean;
  readonly baseUrl: string;
  /** When an earlier request began that has the same key and no response, by the monotonic clock. */
  readonly inDoubtSince?: number | undefined;
}

export interface ExchangeTools {
  readonly transport: Transport;
  readonly pacing: Pacing;
  readonly system: Pick<System, 'now' | 'monotonic' | 'sleep' | 'random' | 'signal'>;
  readonly trace: Trace;
  /** Called when a response takes unusually long, with a sentence. */
  readonly slow?: (text: string) => void;
  /** Called before each pause, with its reason and length; `isAsked` if the service asks for a long one. */
  readonly waiting: (reason: string, ms: number, isAsked: boolean) => void;
}

/** The result of one try, and what may follow. */
interface Attempt {
  readonly sent: Exchanged<WireReply>;
  readonly mayRepeat?: boolean;
  readonly timedOut?: boolean;
  /** Milliseconds that the service asks to wait; undefined if it does not say. */
  readonly askedToWait?: number | undefined;
}

const firstPause = 500;
const longestPause = 20_000;
/** If the service asks for a longer pause, the exchange ends with an error. */
const longestAskedPause = 60_000;
/**
 * Milliseconds after the beginning of a request without a response in which it may be repeated under its
 * idempotency key. After the lock, a request that is still at work would be carried out again.
 */
const safelyRepeated = (limits.idempotencyLockSeconds * 1000) / 2;
const maxRedirects = 5;
/** Milliseconds without a response after which a person is told. */
const unusual = 30_000;
/** Shorter pauses are not reported: rate-limit windows usually last a second. */
const shortestToldPause = 2_000;

/**
 * Sends a request and retries it as the policy and the operation allow, with full-jitter
 * exponential back-off (AWS Architecture Blog, "Exponential Backoff And Jitter"), and not before
 * the service asks. Returns the outcome; throws only defects and errors of the caller's own
 * functions. If a pause would last past the deadline, the exchange ends at once.
 */
export async function exchange(
  request: WireRequest,
  policy: ExchangePolicy,
  tools: ExchangeTools,
): Promise<Exchanged<WireReply>> {
  const { signal, now, monotonic, sleep, random } = tools.system;
  const { deadline = Number.POSITIVE_INFINITY } = policy;
  /** Milliseconds left for pauses that the service asks for. */
  let patience = policy.deadline === undefined ? policy.timeout : Number.POSITIVE_INFINITY;
  let { inDoubtSince } = policy;
  let unknown = inDoubtSince !== undefined;
  let unansweredBefore = unknown;
  let isUnderWay = false;
  let last: Unaccepted | undefined;
  /** Whether a request in doubt may no longer be repeated under its key after a pause. */
  const isPastLock = (pause: number) =>
    policy.repeat === 'keyed' &&
    inDoubtSince !== undefined &&
    monotonic() + pause > inDoubtSince + safelyRepeated;
  try {
    for (let attempt = 0; ; attempt++) {
      await policy.turn?.();
      const turn = await paced(tools, deadline, patience);
      if ('asked' in turn) return last ?? noTimeLeft(request, turn.asked, now());
      patience -= turn.waited;
      // The turn may have taken long, too: others are asked to wait, or the rate limit is used up.
      if (last !== undefined && isPastLock(0)) {
        turn.end(undefined);
        return { ...last, isPastLock: true };
      }
      isUnderWay = !signal.aborted;
      const begun = monotonic();
      const bestEffort = await attemptOnce(request, policy, tools, turn);
      const { sent, mayRepeat, timedOut, askedToWait } = bestEffort;
      isUnderWay = false;
      if (sent.outcome === 'accepted') return sent;
      unknown =
        sent.outcome === 'unknown' || (unknown && !(policy.repeat === 'keyed' && settles(sent)));
      last = { ...sent, outcome: unknown ? 'unknown' : sent.outcome, unansweredBefore };
      unansweredBefore ||= sent.outcome === 'unknown';
      const { problem } = last;
      const pause = pauseBefore(attempt, askedToWait, random);
      const longest = Math.min(longestAskedPause, patience, deadline - monotonic());
      if (askedToWait !== undefined && askedToWait > longest) {
        return { ...last, problem: sayingHowLong(problem, askedToWait, now()) };
      }
      patience -= askedToWait ?? 0;
      if (!unknown) inDoubtSince = undefined;
      else if (sent.reply === undefined || sent.mayBeOfProxy) inDoubtSince ??= begun;
      const isLockOver =
        isPastLock(pause) ||
        (timedOut === true && policy.repeat === 'keyed' && inDoubtSince !== undefined);
      const isOver = attempt >= policy.retries || monotonic() + pause >= deadline;
      if (!mayRepeat || isOver) return last;
      if (isLockOver) return { ...last, isPastLock: true };
      tools.trace(`* ${problem.message} Retrying in ${pause} ms.`);
      const isAsked = askedToWait !== undefined && askedToWait >= shortestToldPause;
      const reason = isAsked ? sayingHowLong(problem, askedToWait, now()) : problem;
      tools.waiting(reason.message, pause, isAsked);
      await sleep(pause, signal);
    }
  } catch (error) {
    // Ctrl-C: a request in progress, or one without a response, may have been accepted.
    if (!signal.aborted) throw error;
    const { reason } = signal;
    if (!(reason instanceof MailerError)) throw reason;
    const isConnecting = error instanceof TransportError && error.unsent;
    if (unknown || (isUnderWay && !isConnecting)) {
      return { outcome: 'unknown', problem: problemOf(reason), unansweredBefore };
    }
    // Harmless requests have no effect that anyone could miss.
    // After a conflict, an earlier request with the key may be in progress.
    const hasFailed = last !== undefined && last.problem.code !== 'conflict';
    const isTold = (isUnderWay || hasFailed) && policy.repeat !== 'harmless';
    const hint = isTold ? 'Nothing was sent.' : undefined;
    return { outcome: 'unsent', problem: { ...problemOf(reason), hint }, unansweredBefore };
  }
}

/**
 * Adds how long the service asks to wait. In the message, because an unknown outcome needs the
 * hint.
 */
function sayingHowLong(problem: Problem, asked: number, now: number): Problem {
  const said = problem.message.trimEnd();
  const end = /[.!?]$/.test(said) ? '' : '.';
  const message = `${said}${end} It asked to wait for ${waitInWords(asked, now)}.`;
  const isOver = problem.code === 'rate_limited' && asked > longestAskedPause;
  const hint = isOver ? undefined : problem.hint;
  return { ...problem, message, hint };
}

/** The error if the rate limit, or an earlier `Retry-After`, allows no request in time. */
function noTimeLeft({ url }: WireRequest, asked: number, now: number): Unaccepted {
  const message = `${url.host} asked to wait for ${waitInWords(asked, now)}: longer than the time limit.`;
  const hint = 'Wait, then run the command again, or allow more time with --timeout.';
  return { outcome: 'unsent', problem: { code: 'unavailable', message, hint, asked } };
}

/** Waits for the next request's turn, at most `patience` ms once it is the next, and reports long waits. */
async function paced(
  { pacing, system, waiting }: ExchangeTools,
  deadline: number,
  patience: number,
) {
  const { now, monotonic, sleep, signal } = system;
  let waited = 0;
  const told: typeof sleep = async (ms, within) => {
    waited += ms;
    if (ms >= shortestToldPause) {
      waiting(`The service asked to wait for ${waitInWords(ms, now())}.`, ms, true);
    }
    await sleep(ms, within);
  };
  const turn = await pacing.turn({ now, monotonic, sleep: told, signal }, deadline, patience);
  return 'asked' in turn ? turn : { ...turn, waited };
}

/**
 * Whether a rejection also settles the outcome of earlier requests without a response: a service
 * that knows requests by their key did not accept them. Not for a request without a key, where the first may be why
 * the second is rejected: a second cancel of an email is a 400. A proxy knows neither.
 */
export function settles({ problem, mayBeOfProxy }: Unaccepted): boolean {
  return problem.code === 'rejected' && !mayBeOfProxy;
}

/** One try, whatever its outcome. Throws if interrupted. */
async function attemptOnce(
  request: WireRequest,
  policy: ExchangePolicy,
  tools: ExchangeTools,
  turn: Turn,
): Promise<Attempt> {
  const { system } = tools;
  let followed: Followed;
  try {
    system.signal.throwIfAborted();
    followed = await sendFollowing(request, policy, tools);
  } catch (error) {
    turn.end(undefined);
    if (system.signal.aborted || !(error instanceof TransportError)) throw error;
    return withoutAnswer(error, policy);
  }
  const { reply, redirect } = followed;
  const { status } = reply;
  turn.end(reply);
  if (redirect !== undefined) {
    // Only 303, of all redirects, says that the request was carried out.
    return { sent: { outcome: status === 303 ? 'unknown' : 'refused', problem: redirect, reply } };
  }
  if (status >= 200 && status < 300) return { sent: { outcome: 'accepted', value: reply } };
  const refused: Unaccepted = { outcome: 'refused', ...problemOfReply(reply, policy), reply };
  const askedToWait = askedPause(reply, system.now());
  switch (refused.problem.code) {
    case 'rate_limited':
      return { sent: refused, mayRepeat: true, askedToWait };
    case 'conflict': {
      // "Still in progress" and "used for another body" look alike; only time tells them apart. If
      // nobody else has the key, our own request is in progress.
      const sent = policy.keyIsNew ? stillInProgress(refused, 'the request') : refused;
      return { sent, mayRepeat: policy.repeat === 'keyed', askedToWait };
    }
    case 'unavailable': {
      // 501, and 500 for an operation that may not exist: the service cannot do this.
      const isLasting = status === 501 || (status === 500 && policy.beyond === true);
      const mayRepeat = policy.repeat !== 'unsent' && !isLasting;
      return { sent: { ...refused, outcome: 'unknown' }, mayRepeat, askedToWait };
    }
    default:
      return { sent: refused };
  }
}

function withoutAnswer(error: TransportError, { repeat }: ExchangePolicy): Attempt {
  const { message, hint, unsent, permanent, unreadable, timedOut } = error;
  const lasts = (permanent && !timedOut) || undefined;
  const code = unreadable ? 'bad_reply' : 'unavailable';
  return {
    sent: {
      outcome: unsent ? 'unsent' : 'unknown',
      problem: { code, message, hint, cause: error, lasts },
    },
    mayRepeat: !permanent && (unsent || repeat !== 'unsent'),
    timedOut: timedOut && !unsent,
  };
}

/** The last response after redirects; if it is a redirect itself, why it was not followed. */
interface Followed {
  readonly reply: WireReply;
  readonly redirect?: Problem;
}

/** Sends once and follows redirects within the origin. The response has the key removed. */
async function sendFollowing(
  request: WireRequest,
  policy: ExchangePolicy,
  tools: ExchangeTools,
): Promise<Followed> {
  const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
  let current = request;
  for (let hops = 0; ; hops++) {
    policy.onSend?.();
    const sent = await sendTimed(current, policy, tools);
    const reply = withoutKey(sent, key);
    const { location } = sent.headers;
    if (![301, 302, 303, 307, 308].includes(reply.status) || location === undefined) {
      return { reply };
    }
    const target = URL.parse(location, current.url.href);
    if (target === null || target.origin !== request.url.origin) {
      return notFollowed(
        reply,
        `The service redirects to ${target?.origin ?? 'an address that cannot be read'}; mailer did not follow, because the key belongs to ${request.url.origin}.`,
        'If the service has moved, give its new base URL.',
      );
    }
    if (hops >= maxRedirects) {
      return notFollowed(
        reply,
        `The service redirects too often: ${hops + 1} times, the last time to ${shortened(redact(target.href, [key]))}.`,
        'Check the base URL.',
      );
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const keepsMethod = reply.status === 307 || reply.status === 308 || isRead;
    if (!keepsMethod) {
      const message = `The service redirects ${request.method} to ${shortened(redact(target.href, [key]))}.`;
      return notFollowed(reply, message, 'Check the base URL.');
    }
    current = { ...current, url: target };
  }
}

function notFollowed(reply: WireReply, message: string, hint: string): Followed {
  const details = { status: reply.status, requestId: requestIdOf(reply), hint };
  return { reply, redirect: { code: 'bad_reply', message, ...details } };
}

async function sendTimed(
  request: WireRequest,
  policy: ExchangePolicy,
  { transport, system, trace, slow }: ExchangeTools,
): Promise<WireReply> {
  system.signal.throwIfAborted();
  const started = system.monotonic();
  const left = (policy.deadline ?? Number.POSITIVE_INFINITY) - started;
  const patience = Math.max(0, Math.min(policy.timeout, Math.ceil(left)));
  // Not AbortSignal.any and AbortSignal.timeout: their signals stay in memory until the time is up,
  // and a list of many pages creates many.
  const ended = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ended.abort();
  }, patience);
  const notice = setTimeout(() => {
    slow?.(`${request.url.host} is slow: no response for ${unusual / 1000} s, still waiting`);
  }, unusual);
  const interrupt = () => ended.abort(system.signal.reason);
  system.signal.addEventListener('abort', interrupt);
  traceRequest(request, trace);
  try {
    const reply = await transport.send(request, ended.signal);
    traceReply(reply, system.monotonic() - started, trace);
    policy.onResponse?.(reply);
    return reply;
  } catch (error) {
    if (timedOut && !system.signal.aborted) {
      const unsent = error instanceof TransportError && error.unsent;
      const limit = `within ${patience / 1000} s.`;
      const message = unsent
        ? `${error.message} ${limit} Nothing was sent.`
        : `${request.url.host} did not respond ${limit}`;
      throw new TransportError(message, {
        unsent,
        // If the deadline ended it, there is no time for another try.
        permanent: patience < policy.timeout,
        timedOut: true,
        cause: error,
      });
    }
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(notice);
    system.signal.removeEventListener('abort', interrupt);
  }
}

function pauseBefore(attempt: number, asked: number | undefined, random: () => number): number {
  const backoff = Math.round(random() * Math.min(longestPause, firstPause * 2 ** attempt));
  return asked === undefined ? backoff : asked + Math.round(random() * 250);
}

function traceRequest({ method, url, headers, body }: WireRequest, trace: Trace): void {
  trace(`> ${method} ${url.href}`);
  for (const [name, value] of Object.entries(headers)) trace(`> ${name}: ${value}`);
  if (body !== undefined) trace(() => `> ${bodyText(body)}`);
}

function traceReply(reply: WireReply, ms: number, trace: Trace): void {
  trace(`< ${reply.status} (${Math.round(ms)} ms)`);
  for (const [name, value] of Object.entries(reply.headers)) trace(`< ${name}: ${value}`);
  if (reply.body !== '') trace(`< ${reply.body}`);
}
