import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { type Account, accountOf } from './account.ts';
import type { Route } from './call.ts';
import { unsubscribe } from './contacts.ts';
import { catchUp } from './due.ts';
import { ApiError, errorResponse } from './errors.ts';
import { contractRoutes } from './handlers/all.ts';
import { beyondRoutes } from './handlers/beyond.ts';
import { readInput } from './input.ts';
import { applyLiveRules } from './live-rules.ts';
import { createRateLimit, type RateLimitState, rateLimitHeaders } from './rate-limit.ts';
import type { Store } from './store.ts';

export interface AppOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Requests per second; no limit when undefined. */
  readonly rateLimit?: number | undefined;
  /** See `SandboxOptions.processing`. */
  readonly processing?: (() => Promise<void>) | undefined;
}

interface Environment {
  Variables: { now: number; account: Account; rateLimit?: RateLimitState };
}

/**
 * The service as a function from Request to Response: its API under `/api`, a page for people at
 * `/`, and what the unsubscribe links lead to. What has become due is carried out first.
 */
export function createApp({ store, clock, rateLimit, processing }: AppOptions): {
  fetch(request: Request): Promise<Response>;
} {
  const app = new Hono<Environment>();
  const countRequest = createRateLimit(rateLimit);

  app.onError((error) => errorResponse(error));

  app.use(async (context, next) => {
    const now = clock();
    context.set('now', now);
    catchUp(store, now, new URL(context.req.url).origin);
    await next();
    // Afterwards, since a handler's answer takes the place of headers that were set before it.
    context.header('X-Request-Id', randomUUID());
    for (const [name, value] of Object.entries(rateLimitHeaders(context.get('rateLimit')))) {
      context.header(name, value);
    }
  });

  app.use('/api/*', async (context, next) => {
    context.set('account', authenticate(context.req.header('Authorization')));
    const state = countRequest(context.get('now'));
    context.set('rateLimit', state);
    if (state.exceeded) {
      throw new ApiError('RATE_LIMITED', 'Rate limit exceeded. Try again in 1 second.');
    }
    await next();
  });

  app.get('/', (context) => context.text(frontPage));
  app.on(['GET', 'POST'], '/unsubscribe/:emailId', (context) => {
    const { emailId } = context.req.param();
    const done = store.write(() => unsubscribe(store, emailId, context.get('now')));
    return done ? context.text('You are unsubscribed.\n') : context.text('Invalid link.\n', 404);
  });
  for (const route of [...contractRoutes, ...beyondRoutes]) mount(route);

  function mount({ operation, handle }: Route): void {
    app.on(operation.method, `/api${honoPath(operation.path)}`, async (context) => {
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

  return { fetch: async (request) => app.fetch(request) };
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

const frontPage = `This is the local sandbox of an email delivery service.

Nothing is really sent. The base URL of its API is this address followed by /api.
`;
