import { Hono } from 'hono';
import { type Account, accountOf } from './account.ts';
import type { Route } from './call.ts';
import { ApiError } from './errors.ts';
import { contractRoutes } from './handlers/all.ts';
import { beyondRoutes } from './handlers/beyond.ts';
import { readInput } from './input.ts';
import { applyLiveRules } from './live-rules.ts';
import { createRateLimit, type RateLimitState, rateLimitHeaders } from './rate-limit.ts';
import { createRequestLog } from './request-log.ts';
import type { Store } from './store.ts';

/** What the parts of the service tell each other of a request. */
export interface Environment {
  Variables: {
    /** When the request came, by the sandbox's clock: milliseconds since 1970. */
    now: number;
    /** What `X-Request-Id` says. */
    requestId: string;
    account: Account;
    rateLimit?: RateLimitState;
  };
}

export interface ApiOptions {
  readonly store: Store;
  /** Requests per second; no limit when undefined. */
  readonly rateLimit: number | undefined;
  /** See `SandboxOptions.processing`. */
  readonly processing: (() => Promise<void>) | undefined;
  readonly log: (line: string) => void;
}

/** The API alone, all that is below `/api`: keys, limits, the operations, and a record of it. */
export function createApi({ store, rateLimit, processing, log }: ApiOptions): Hono<Environment> {
  const api = new Hono<Environment>();
  const countRequest = createRateLimit(rateLimit);
  const record = createRequestLog(store, log);

  api.use(async (context, next) => {
    const started = performance.now();
    await next();
    for (const [name, value] of Object.entries(rateLimitHeaders(context.get('rateLimit')))) {
      context.header(name, value);
    }
    await record({
      request: context.req.raw,
      body: context.req.text(),
      response: context.res,
      laterHeaders: { 'x-request-id': context.get('requestId') },
      at: context.get('now'),
      milliseconds: performance.now() - started,
    });
  });

  api.use(async (context, next) => {
    context.set('account', authenticate(context.req.header('Authorization')));
    const state = countRequest(context.get('now'));
    context.set('rateLimit', state);
    if (state.exceeded) {
      throw new ApiError('RATE_LIMITED', 'Rate limit exceeded. Try again in 1 second.');
    }
    await next();
  });

  for (const route of [...contractRoutes, ...beyondRoutes]) mount(route);
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
      const reply = await handle({
        store,
        now: context.get('now'),
        account: context.get('account'),
        idempotencyKey: context.req.header('Idempotency-Key'),
        processing: processing ?? (async () => {}),
        input,
      });
      return Response.json(reply);
    });
  }
}

function authenticate(header: string | undefined): Account {
  const key = header?.match(/^Bearer\s+(\S+)$/i)?.[1];
  if (key === undefined) throw new ApiError('UNAUTHORIZED', 'No Authorization header provided');
  const account = accountOf(key);
  if (account === undefined) throw new ApiError('FORBIDDEN', 'Invalid API token');
  return account;
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
