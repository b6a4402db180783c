import { reasonText, verifyCall } from '../../../shared/webhook/signature.ts';
import type { System } from '../../base/system/system.ts';
import { openKeptCalls } from './kept-calls.ts';
import { endToEnd, type ListenerResponse, type ReceivedCall } from './listen-server.ts';
import { keptCharacters, openSender } from './send-call.ts';
import type { KeptCall } from './webhook-shapes.ts';

interface ListenOptions {
  readonly secret: string;
  /** Where to send each call on; nowhere if absent. */
  readonly forwardTo?: URL | undefined;
  /** The events that are of interest; all if empty. */
  readonly events: readonly string[];
  /** Gets what goes wrong, a sentence each. */
  readonly warn: (sentence: string) => void;
}

/**
 * Takes calls as a handler does: checks, forwards and keeps each, and hands it to `heard`. A call of other events than
 * those of interest is accepted and forgotten.
 */
export async function openListener(
  system: System,
  { secret, forwardTo, events, warn }: ListenOptions,
  heard: (call: KeptCall) => void,
): Promise<{ take(call: ReceivedCall): Promise<ListenerResponse>; close(): Promise<void> }> {
  const kept = openKeptCalls(system);
  const sender = await openSender(system, secret);
  let received = 0;
  return {
    close: () => sender.close(),
    async take({ headers, body }) {
      const passedOn = endToEnd(headers);
      const header = (wanted: string) => passedOn[wanted];
      const now = system.now();
      const type = header('x-usesend-event') ?? null;
      if (events.length > 0 && !events.includes(type ?? '')) return { status: 204, body: '' };
      const verdict = verifyCall(body, header, { secret, now });
      const { status, milliseconds, reply } = await respond();
      const call: KeptCall = {
        id: `rcv_${now.toString(36)}_${String(++received).padStart(6, '0')}`,
        receivedAt: new Date(now).toISOString(),
        type,
        call: header('x-usesend-call') ?? null,
        attempt: attemptOf(verdict),
        reason: verdict.reason ?? null,
        headers,
        body: Buffer.from(body).toString('utf8'),
        forwardedTo: forwardTo?.href ?? null,
        status,
        milliseconds,
        response: reply.body.slice(0, keptCharacters),
      };
      const { body: _, ...rest } = call;
      // The handler has done its work: another response would make the service call it again.
      await kept.keep(rest, body).catch((error: unknown) => {
        warn(`This call is not kept. ${error instanceof Error ? error.message : String(error)}`);
      });
      heard(call);
      return reply;

      async function respond() {
        if (forwardTo === undefined) {
          const { reason } = verdict;
          const reply =
            reason === undefined
              ? { status: 200, body: 'OK' }
              : { status: 401, body: `${reason}: ${reasonText[reason]}` };
          return { status: reply.status, milliseconds: 0, reply };
        }
        const sent = await sender.send({ url: forwardTo, headers: passedOn, body });
        const reply = { status: sent.status ?? 502, headers: sent.headers, body: sent.response };
        return { status: sent.status, milliseconds: sent.milliseconds, reply };
      }
    },
  };
}

/** The attempt that a valid body tells; null otherwise. */
function attemptOf(verdict: ReturnType<typeof verifyCall>): number | null {
  const event = verdict.reason === undefined ? verdict.event : undefined;
  const attempt =
    typeof event === 'object' && event !== null && 'attempt' in event ? event.attempt : undefined;
  return Number.isInteger(attempt) ? Number(attempt) : null;
}
