import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { AccountService } from './http/account-service.ts';
import { createApi } from './http/api.ts';
import { type Connection, ConnectionLost } from './http/connection-lost.ts';
import { createControl } from './http/control/control.ts';
import type { Environment } from './http/environment.ts';
import { pagesOf } from './model/api-account.ts';
import { catchUp } from './model/catch-up.ts';
import { resetFollower } from './seeds/data.ts';
import { ApiError, errorResponse } from './store/errors.ts';
import { StorageFailure } from './store/storage-failure.ts';

/**
 * The service as a function from Request to Response: the API under `/api`, the inbox, and the
 * pages of unsubscribe links. Jobs that are due run first. Rejects with `ConnectionLost` if a fault
 * closes the connection.
 */
export function createApp(service: AccountService): { fetch(request: Request): Promise<Response> } {
  const { store, clock, account, linkOrigin, faults, rateLimit, speech, log } = service;
  const app = new Hono<Environment>();
  const followReset = resetFollower(store, () => {
    faults.reset();
    rateLimit.reset();
    speech.reset();
  });

  app.onError((error, { req }) => {
    const response = errorResponse(error);
    const { message } = error;
    const untold = error instanceof ApiError ? error.untold : undefined;
    if (response.status >= 500) log(`${req.method} ${req.path}: ${untold ?? message}`);
    return response;
  });

  app.use(async (context, next) => {
    const now = clock();
    context.set('now', now);
    context.set('requestId', randomUUID());
    followReset();
    try {
      const origin = linkOrigin ?? new URL(context.req.url).origin;
      catchUp(store, now, `${origin}${pagesOf(account)}`, log);
    } catch (error) {
      // The stored data can still be read.
      if (!(error instanceof StorageFailure) || context.req.method !== 'GET') throw error;
      log(`${context.req.method} ${context.req.path}: ${error.message}`);
    }
    await next();
    // After the handler, whose response replaces earlier headers.
    context.header('X-Request-Id', context.get('requestId'));
    // Clients measure the age of their idempotency keys with it.
    context.header('Date', new Date(now).toUTCString());
  });

  // Without the data, so that it says only whether the server runs.
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.route('/api', createApi(service));
  const followed = (reset: () => void) => () => {
    reset();
    followReset();
  };
  const reset = followed(service.reset);
  const startOver = followed(service.startOver);
  app.route('/control', createControl({ ...service, reset, startOver }));
  // Unknown API paths must not reach the inbox.
  app.all('/api/*', (context) => context.notFound());
  // Pages are loaded when first requested.
  let unsubscribe: Promise<Hono> | undefined;
  for (const path of ['/unsubscribe/*', '/subscribe/*']) {
    app.all(path, async (context) => {
      unsubscribe ??= import('./unsubscribe/unsubscribe-routes.ts').then((it) =>
        it.createUnsubscribe(service),
      );
      return (await unsubscribe).fetch(context.req.raw);
    });
  }
  let inbox: Promise<Hono> | undefined;
  app.all('*', async (context) => {
    inbox ??= import('./inbox/inbox.ts').then(({ createInbox }) => createInbox(service));
    return (await inbox).fetch(context.req.raw);
  });

  return {
    async fetch(request) {
      const connection: Connection = {};
      const response = await app.fetch(request, { connection });
      if (connection.lost === undefined) return response;
      throw new ConnectionLost(connection.lost === 'cut-reply' ? response : undefined);
    },
  };
}
