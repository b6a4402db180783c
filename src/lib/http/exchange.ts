import type { Repeat } from '../../api/operation.ts';
import { BadReplyError, MailerError, UnavailableError } from '../errors.ts';
import type { System } from '../system/system.ts';
import {
  bodyText,
  type Transport,
  TransportError,
  type WireReply,
  type WireRequest,
} from '../system/wire.ts';
import { shortened } from '../text/shortened.ts';
import { waitInWords } from '../text/time-in-words.ts';
import type { Pacing, Turn } from './pacing.ts';
import { redact, withoutKey } from './redact.ts';
import { errorOfReply, requestIdOf } from './reply.ts';
import type { Trace } from './trace.ts';

interface ExchangePolicy {
  /** For each request, in milliseconds. */
  readonly timeout: number;
  /** How often to try again after the first request. */
  readonly retries: number;
  readonly repeat: Repeat;
  /** See `Operation.beyond`: a 500 is no passing failure then, and the request is not repeated. */
  readonly beyond?: true | undefined;
  /** Whether the idempotency key was made for this request, so that no other can have used it. */
  readonly keyIsNew: boolean;
  readonly baseUrl: string;
  /** When the exchange is over, answered or not, by the monotonic clock. */
  readonly deadline?: number | undefined;
  /** Waited for before every request. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Called when a request is about to leave. */
  readonly leaves?: (() => void) | undefined;
  /** Called with each answer as it comes, whatever it says. */
  readonly heard?: ((reply: WireReply) => void) | undefined;
}

export interface ExchangeTools {
  readonly transport: Transport;
  readonly pacing: Pacing;
  readonly system: Pick<System, 'now' | 'monotonic' | 'sleep' | 'random' | 'signal'>;
  readonly trace: Trace;
  /** Called before each pause, with its reason and length. */
  readonly waiting: (reason: string, ms: number) => void;
}

/** What one request led to: an answer, or a failure, and what may follow from it. */
interface Attempt {
  readonly reply?: WireReply;
  readonly error?: MailerError;
  readonly mayRepeat: boolean;
  /** Whether the service may have carried the request out without a word about it. */
  readonly unknown: boolean;
  /** Milliseconds the service asks to wait; undefined when it does not say. */
  readonly askedToWait?: number | undefined;
}

const firstPause = 500;
const longestPause = 20_000;
/** A service that asks for more patience than this gets the error now. */
const longestAskedPause = 60_000;
const maxRedirects = 5;
/** Shorter pauses before a request are no news: rate-limit windows are a second long as a rule. */
const shortestToldPause = 2_000;

/**
 * Sends a request until it is answered for good: repeated after failures as often as the policy
 * and the operation allow, with full-jitter exponential back-off (AWS Architecture Blog,
 * "Exponential Backoff And Jitter") and at least as long as the service asks for.
 *
 * Returns a 2xx answer. Throws the typed error of the last attempt; its `outcomeUnknown` says
 * whether an earlier or the last attempt may have been carried out. A pause that would last past
 * the deadline is not made: the error is thrown at once.
 */
export async function exchange(
  request: WireRequest,
  policy: ExchangePolicy,
  tools: ExchangeTools,
): Promise<WireReply> {
  const { signal, now, monotonic } = tools.system;
  const { deadline = Number.POSITIVE_INFINITY } = policy;
  let outcomeUnknown = false;
  let unanswered = false;
  let last: MailerError | undefined;
  const unlessInterrupted = async <Value>(pause: Promise<Value>): Promise<Value> =>
    await pause.catch((reason: unknown) => {
      throw interrupted(reason, outcomeUnknown);
    });
  for (let attempt = 0; ; attempt++) {
    await unlessInterrupted(policy.turn?.() ?? Promise.resolve());
    const turn = await unlessInterrupted(paced(tools, deadline));
    if (turn === undefined) throw last ?? noTimeLeft(request);
    if (signal.aborted) {
      turn.end(undefined);
      throw interrupted(signal.reason, outcomeUnknown);
    }
    const result = await attemptOnce(request, policy, tools, turn);
    if (result.reply !== undefined && result.error === undefined) return result.reply;
    const error = result.error ?? new UnavailableError('No answer.');
    outcomeUnknown = (outcomeUnknown && !settles(error, policy)) || result.unknown;
    const pause = pauseBefore(attempt, result.askedToWait, tools.system.random);
    error.outcomeUnknown = outcomeUnknown;
    error.unansweredBefore = unanswered;
    unanswered ||= result.unknown;
    error.reply = result.reply ?? error.reply;
    const { askedToWait = 0 } = result;
    if (askedToWait > longestAskedPause) throw sayingHowLong(error, askedToWait, now());
    if (!result.mayRepeat || attempt >= policy.retries || monotonic() + pause >= deadline)
      throw error;
    last = error;
    tools.trace(`* ${error.message} Next try in ${pause} ms.`);
    tools.waiting(error.message, pause);
    await unlessInterrupted(tools.system.sleep(pause, signal));
  }
}

/**
 * Adds how long the service asks to wait, as "wait a little" is no help then. In the message, since
 * what to do about an unknown outcome takes the place of other hints.
 */
function sayingHowLong(error: MailerError, asked: number, now: number): MailerError {
  const said = error.message.trimEnd();
  const end = /[.!?]$/.test(said) ? '' : '.';
  error.message = `${said}${end} It asks to wait for ${waitInWords(asked, now)}.`;
  if (error.code === 'rate_limited') error.details = { ...error.details, hint: undefined };
  return error;
}

/** The rate limit, or an earlier `Retry-After`, lets no request go out before the deadline. */
function noTimeLeft({ url }: WireRequest): MailerError {
  return new UnavailableError(`${url.host} asks for more patience than there is time for.`);
}

/** Waits for the turn of the next request, and tells of it when that takes long. */
async function paced({ pacing, system, waiting }: ExchangeTools, deadline: number) {
  const { now, monotonic, sleep, signal } = system;
  const told: typeof sleep = async (ms, within) => {
    if (ms >= shortestToldPause) waiting('The service asks to wait.', ms);
    await sleep(ms, within);
  };
  return await pacing.turn({ now, monotonic, sleep: told, signal }, deadline);
}

/** Ctrl-C: a request that was under way, or had no answer, may have gone through. */
function interrupted(reason: unknown, outcomeUnknown: boolean): unknown {
  if (reason instanceof MailerError) reason.outcomeUnknown = outcomeUnknown;
  return reason;
}

/**
 * Whether a refusal also settles what became of earlier, unanswered requests: a service that
 * knows a request by its key, and validates a repetition anew, did not have the first one. Without
 * a key the refusal may be the trace of the first one: the second cancel of an email is 400. A proxy
 * knows nothing about it.
 */
function settles(error: MailerError, { repeat }: ExchangePolicy): boolean {
  return repeat === 'keyed' && error.code === 'rejected' && !error.mayBeOfProxy;
}

async function attemptOnce(
  request: WireRequest,
  policy: ExchangePolicy,
  tools: ExchangeTools,
  turn: Turn,
): Promise<Attempt> {
  let reply: WireReply;
  try {
    reply = await sendFollowing(request, policy, tools);
  } catch (error) {
    turn.end(undefined);
    return failedAttempt(error, policy, tools);
  }
  turn.end(reply);
  if (reply.status >= 200 && reply.status < 300) {
    return { reply, mayRepeat: false, unknown: false };
  }
  const error = errorOfReply(reply, policy);
  const asked = tools.pacing.askedPause(reply, tools.system.now());
  switch (error.code) {
    case 'rate_limited':
      return { reply, error, mayRepeat: true, unknown: false, askedToWait: asked };
    case 'conflict':
      // "Still in progress" and "used for another body" look alike: only time tells them apart.
      return {
        reply,
        error: policy.keyIsNew ? stillInProgress(error) : error,
        mayRepeat: policy.repeat === 'keyed',
        // With a key that nobody else has, it is our own request that is in progress.
        unknown: policy.keyIsNew,
        askedToWait: asked,
      };
    case 'unavailable':
      return {
        reply,
        error,
        mayRepeat: policy.repeat !== 'unsent' && !isLasting(reply, policy),
        unknown: true,
        askedToWait: asked,
      };
    default:
      return { reply, error, mayRepeat: false, unknown: false };
  }
}

/** Whether a failure is the service's answer for good: it does not know how to do this. */
function isLasting({ status }: WireReply, { beyond }: ExchangePolicy): boolean {
  return status === 501 || (status === 500 && beyond === true);
}

/** A 409 to a key that nobody else has: a copy of our request is still being processed. */
function stillInProgress({ details }: MailerError): MailerError {
  return new UnavailableError('The service is still processing the request.', details);
}

function failedAttempt(error: unknown, policy: ExchangePolicy, tools: ExchangeTools): Attempt {
  if (tools.system.signal.aborted) throw interrupted(error, true);
  if (error instanceof TransportError) {
    const shown = error.unreadable
      ? new BadReplyError(error.message, { cause: error })
      : new UnavailableError(error.message, { hint: error.hint, cause: error });
    return {
      error: shown,
      mayRepeat: !error.permanent && (error.unsent || policy.repeat !== 'unsent'),
      unknown: !error.unsent,
    };
  }
  // A redirect that was not followed. Only 303 says that the request has been carried out.
  if (error instanceof BadReplyError) {
    return { error, mayRepeat: false, unknown: error.details.status === 303 };
  }
  throw error;
}

/**
 * Sends once, following redirects within the origin. The key never goes anywhere else, and nothing of
 * it that the service sends back goes any further.
 */
async function sendFollowing(
  request: WireRequest,
  policy: ExchangePolicy,
  tools: ExchangeTools,
): Promise<WireReply> {
  const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
  let current = request;
  for (let hops = 0; ; hops++) {
    policy.leaves?.();
    const sent = await sendTimed(current, policy, tools);
    const reply = withoutKey(sent, key);
    const { location } = sent.headers;
    if (![301, 302, 303, 307, 308].includes(reply.status) || location === undefined) return reply;
    const target = URL.parse(location, current.url.href);
    if (target === null || target.origin !== request.url.origin) {
      throw notFollowed(
        reply,
        `The service redirects to ${target?.origin ?? 'an address that cannot be read'}; this was not followed, because the key belongs to ${request.url.origin}.`,
        'If the service has moved, give its new base URL.',
      );
    }
    if (hops >= maxRedirects) {
      throw notFollowed(
        reply,
        `The service redirects too often: ${hops + 1} times, the last time to ${shortened(redact(target.href, [key]))}.`,
        'Check the base URL.',
      );
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const keepsMethod = reply.status === 307 || reply.status === 308 || isRead;
    if (!keepsMethod) {
      const message = `The service redirects ${request.method} to ${shortened(redact(target.href, [key]))}.`;
      throw notFollowed(reply, message, 'Check the base URL.');
    }
    current = { ...current, url: target };
  }
}

function notFollowed(reply: WireReply, message: string, hint: string): BadReplyError {
  const requestId = requestIdOf(reply);
  const error = new BadReplyError(message, { status: reply.status, requestId, hint });
  error.reply = reply;
  return error;
}

async function sendTimed(
  request: WireRequest,
  policy: ExchangePolicy,
  { transport, system, trace }: ExchangeTools,
): Promise<WireReply> {
  system.signal.throwIfAborted();
  const started = system.monotonic();
  const left = (policy.deadline ?? Number.POSITIVE_INFINITY) - started;
  const patience = Math.max(0, Math.min(policy.timeout, Math.ceil(left)));
  // Not AbortSignal.any and AbortSignal.timeout: what they make lives on until the time is up, and
  // a list of many pages makes many.
  const ended = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ended.abort();
  }, patience);
  const interrupt = () => ended.abort(system.signal.reason);
  system.signal.addEventListener('abort', interrupt);
  traceRequest(request, trace);
  try {
    const reply = await transport.send(request, ended.signal);
    traceReply(reply, system.monotonic() - started, trace);
    policy.heard?.(reply);
    return reply;
  } catch (error) {
    if (timedOut && !system.signal.aborted) {
      throw new TransportError(`${request.url.host} did not answer within ${patience / 1000} s.`, {
        unsent: false,
        // When it was the deadline, there is no time for another try.
        permanent: patience < policy.timeout,
        cause: error,
      });
    }
    throw error;
  } finally {
    clearTimeout(timer);
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
  trace(`< ${reply.status} (${ms} ms)`);
  for (const [name, value] of Object.entries(reply.headers)) trace(`< ${name}: ${value}`);
  if (reply.body !== '') trace(`< ${reply.body}`);
}
