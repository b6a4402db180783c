import { randomInt } from 'node:crypto';
import { type AttemptResult, type DueCall, dueCalls, recordAttempt } from '../model/webhooks.ts';
import type { Store } from '../store/store.ts';
import { requestOf } from './request-of.ts';

interface DelivererOptions {
  readonly store: Store;
  /** The sandbox's clock, by which calls are due: milliseconds since 1970. */
  readonly clock: () => number;
  /** The real clock, by which calls are signed: handlers compare it with their own. */
  readonly real: () => number;
  /** Gets problems, one line each. */
  readonly log: (line: string) => void;
}

/** How long an endpoint may take, in milliseconds, and what is kept of its response, in characters. */
const patience = 10_000;
const keptCharacters = 4096;

/** Sends calls to endpoints, in the process that serves the sandbox. */
export function createDeliverer({ store, clock, real, log }: DelivererOptions) {
  const underWay = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  function work(): void {
    if (stopping.signal.aborted) return;
    for (const call of dueCalls(store, clock())) {
      if (!underWay.has(call.webhookId)) underWay.set(call.webhookId, deliver(call));
    }
  }

  /** Never rejects. */
  async function deliver(call: DueCall): Promise<void> {
    const began = { at: clock(), signedAt: real() };
    const result = { ...began, ...(await attempt(call, began.signedAt, stopping.signal)) };
    underWay.delete(call.webhookId);
    if (stopping.signal.aborted) return;
    try {
      store.write(() => recordAttempt(store, call, result, randomInt(1000) / 1000));
      work();
    } catch (error) {
      // The call stays due, and is sent again at the next look.
      log(`A call to ${call.url} is not recorded: ${error instanceof Error ? error.message : ''}`);
    }
  }

  return {
    /** Starts calls that are due, one at a time for each endpoint. Call it regularly. */
    work,
    /** Resolves when no call is due any more, or after `stop`. */
    async settled(): Promise<void> {
      work();
      while (underWay.size > 0) await Promise.race(underWay.values());
    },
    /** Ends calls that are under way; the next server sends them again. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** Sends a call once. Any failure is a result. */
async function attempt(
  call: DueCall,
  now: number,
  stopping: AbortSignal,
): Promise<Pick<AttemptResult, 'delivered' | 'status' | 'response'>> {
  const { url, secret } = call;
  const { headers, body } = requestOf(call, call.attempts + 1, now);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(patience)]);
  try {
    const reply = await fetch(onThisMachine(url), {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    return { delivered: reply.ok, status: reply.status, response: await beginning(reply, secret) };
  } catch (error) {
    const response = signal.aborted ? `No response within ${patience / 1000} seconds` : why(error);
    return { delivered: false, status: null, response };
  }
}

/** Names below `localhost` are this machine (RFC 6761, 6.3), but resolvers do not know them, or lead elsewhere. */
function onThisMachine(url: string): URL {
  const target = new URL(url);
  if (target.hostname.endsWith('.localhost')) target.hostname = 'localhost';
  return target;
}

/** The first characters of a response, without the secret; the rest is not read. */
async function beginning(reply: Response, secret: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of reply.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= keptCharacters + secret.length) break;
  }
  return text.replaceAll(secret, '***').slice(0, keptCharacters);
}

function why(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
