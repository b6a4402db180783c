import { Hono } from 'hono';
import { ApiError } from '../store/errors.ts';
import { StorageFailure } from '../store/storage-failure.ts';
import type { AccountService } from './account-service.ts';
import { authenticate } from './authenticate.ts';
import type { Route } from './call.ts';
import type { Environment } from './environment.ts';
import { applyFaults } from './faults/apply.ts';
import { contractRoutes } from './handlers/all.ts';
import { undocumentedRoutes } from './handlers/undocumented.ts';
import { readInput } from './input.ts';
import { translateResponses } from './language.ts';
import { applyLiveRules } from './live-rules.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/** Everything below `/api`: keys, limits, faults, the operations, and the record of requests. */
export function createApi(service: AccountService): Hono<Environment> {
  const { store, faults, rateLimit, speech, processing, record } = service;
  const api = new Hono<Environment>();

  api.use(async (context, next) => {
    const started = performance.now();
    await next();
    for (const [name, value] of Object.entries(rateLimitHeaders(context.get('rateLimit')))) {
      context.header(name, value);
    }
    // Recording would only wait for the same database again.
    if (context.error instanceof StorageFailure) return;
    await record({
      request: context.req.raw,
      body: context.req.text(),
      response: context.res,
      laterHeaders: { 'x-request-id': context.get('requestId') },
      answered: context.env.connection.lost !== 'drop',
      turnedAway: false,
      untold: context.error instanceof ApiError ? context.error.untold : undefined,
      at: context.get('now'),
      milliseconds: performance.now() - started,
    });
  });

  api.use(translateResponses(speech));
  api.use(applyFaults(faults, rateLimit));

  api.use(async (context, next) => {
    // The list of operations needs no key.
    if (context.req.path === '/api/v1/doc') return await next();
    const account = authenticate(context.req.header('Authorization'));
    context.set('account', context.get('blocked') === true ? { blocked: true } : account);
    const state = rateLimit.count();
    context.set('rateLimit', state);
    if (state.exceeded) {
      throw new ApiError('RATE_LIMITED', 'Rate limit exceeded. Try again in 1 second.');
    }
    await next();
  });

  // Routes of the contract come last, because their parameters would match words in other paths.
  for (const route of [...undocumentedRoutes, ...contractRoutes]) mount(route);
  return api;

  function mount({ operation, handle }: Route): void {
    api.on(operation.method, honoPath(operation.path), async (context) => {
      const query = new URL(context.req.url).searchParams;
      applyLiveRules(operation.id, query);
      const input = readInput(operation, {
        params: context.req.param(),
        query,
        contentType: context.req.header('Content-Type') ?? null,
        body: await context.req.text(),
      });
      const idempotencyKey = context.req.header('Idempotency-Key');
      const delay = context.get('delay');
      // With a key, the delay is part of the processing, during which the key is claimed.
      const isClaimed = operation.repeat === 'keyed' && idempotencyKey !== undefined;
      if (!isClaimed) await delay?.();
      const steps = [processing, isClaimed ? delay : undefined].filter((it) => it !== undefined);
      const reply = await handle({
        store,
        now: context.get('now'),
        account: context.get('account'),
        idempotencyKey,
        processing: steps.length === 0 ? undefined : () => inTurn(steps),
        leaveOutEvery: context.get('leaveOutEvery'),
        input,
      });
      return Response.json(reply);
    });
  }
}

async function inTurn(steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
