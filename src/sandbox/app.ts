import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { type ApiOptions, createApi, type Environment } from './api.ts';
import { unsubscribe } from './contacts.ts';
import { catchUp } from './due.ts';
import { errorResponse } from './errors.ts';

export interface AppOptions extends ApiOptions {
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * The service as a function from Request to Response: its API under `/api`, pages for people, and
 * what the unsubscribe links lead to. What has become due is carried out first.
 */
export function createApp(options: AppOptions): { fetch(request: Request): Promise<Response> } {
  const { store, clock, log } = options;
  const app = new Hono<Environment>();

  app.onError((error, { req }) => {
    const response = errorResponse(error);
    if (response.status >= 500) log(`${req.method} ${req.path}: ${error.message}`);
    return response;
  });

  app.use(async (context, next) => {
    const now = clock();
    context.set('now', now);
    context.set('requestId', randomUUID());
    catchUp(store, now, new URL(context.req.url).origin);
    await next();
    // Afterwards, since a handler's answer takes the place of headers that were set before it.
    context.header('X-Request-Id', context.get('requestId'));
  });

  app.route('/api', createApi(options));
  // What is not in the API is no page for people either.
  app.all('/api/*', (context) => context.notFound());
  app.on(['GET', 'POST'], '/unsubscribe/:emailId', (context) => {
    const { emailId } = context.req.param();
    const done = store.write(() => unsubscribe(store, emailId, context.get('now')));
    return done ? context.text('You are unsubscribed.\n') : context.text('Invalid link.\n', 404);
  });
  // The pages are loaded by who looks at them only.
  let inbox: Promise<Hono> | undefined;
  app.all('*', async (context) => {
    inbox ??= import('./inbox/inbox.ts').then(({ createInbox }) => createInbox(options));
    return (await inbox).fetch(context.req.raw);
  });

  return { fetch: async (request) => app.fetch(request) };
}
