import { setTimeout } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { ApiError, errorResponse } from '../../store/errors.ts';
import type { Environment } from '../environment.ts';
import type { RateLimit } from '../rate-limit.ts';
import { errorAnswer } from './answer.ts';
import { delayOf } from './delay-of.ts';
import type { Effect } from './fault.ts';
import type { Faults } from './faults.ts';

/** Names the faults of a request, for people who inspect it. */
export const faultHeader = 'X-Sandbox-Fault';

/** Applies the faults that are active when a request to `/api` arrives. */
export function applyFaults(faults: Faults, rateLimit: RateLimit): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const path = new URL(context.req.url).pathname.replace(/^\/api/, '');
    const taken = faults.take(context.req.method, path);
    if (taken.length === 0) return next();
    let paused: Promise<void> | undefined;
    const delay = () => {
      paused ??= pause(delayOf(taken), context.req.raw.signal);
      return paused;
    };
    context.set('delay', delay);
    const answer = answerInstead(taken.find(({ effect }) => effect.kind !== 'delay')?.effect);
    if (answer === undefined) await next();
    else context.res = answer;
    // Rejections are delayed, too; if processing already waited, this does nothing.
    await delay();
    // After the handler, whose response replaces earlier headers.
    context.header(faultHeader, taken.map(({ text }) => text).join(', '));

    /** The response instead of the service's own; undefined if the request is processed. */
    function answerInstead(effect: Effect | undefined): Response | undefined {
      switch (effect?.kind) {
        case 'status':
          // A rejected request counts, too.
          if (effect.status === 429) context.set('rateLimit', { ...rateLimit.count(), ...refused });
          return errorAnswer(effect.status, effect.shape);
        case 'expired-key':
          return errorResponse(new ApiError('FORBIDDEN', 'Invalid API token'));
        case 'drop':
          context.env.connection.lost = effect.kind;
          // This response is not sent.
          return new Response(null, { status: 503 });
        case 'drop-reply':
        case 'cut-reply':
          context.env.connection.lost = effect.kind;
          return undefined;
        case 'blocked':
          context.set('blocked', true);
          return undefined;
        case 'short':
          context.set('leaveOutEvery', effect.every);
          return undefined;
        case 'delay':
        case undefined:
          return undefined;
      }
    }
  };
}

const refused = { remaining: 0, exceeded: true };

/** Ends early if the client disconnects or the server stops. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds === 0) return;
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
