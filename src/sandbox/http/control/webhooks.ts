import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { eventTypes } from '../../../shared/webhook/event-types.ts';
import { sandboxSecret } from '../../../shared/webhook/sandbox-secret.ts';
import { addWebhook, listWebhooks, loggedCalls, removeWebhook } from '../../model/webhooks.ts';
import { ApiError } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { readJsonBody } from './read-json.ts';

/** How many calls are shown. */
const shownCalls = 200;

/**
 * Other machines need a flag on the command line, so that nobody calls them by mistake. A user name and a password
 * would be shown, and never sent.
 */
const isOnThisMachine = (url: string) => {
  const { hostname = '', username, password } = URL.parse(url) ?? {};
  return /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname) && !username && !password;
};

const newWebhook = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).refine(isOnThisMachine),
  events: z.array(z.enum(eventTypes)).default([]),
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{6,512}$/)
    .default(sandboxSecret),
});

const expected =
  'The body is {"url": "http://localhost:3000/webhooks"}, on this machine, and, if wanted, "events": ["email.bounced"] and "secret".';

/** Shows, adds and removes the endpoints of webhooks, and shows their last calls. */
export function createWebhookControl(store: Store, clock: () => number): Hono {
  const app = new Hono();
  const state = (context: Context) =>
    context.json({ webhooks: listWebhooks(store), calls: loggedCalls(store, shownCalls) });

  app.get('/', state);
  app.post('/', async (context) => {
    const webhook = await readJsonBody(context, newWebhook, expected);
    store.write(() => addWebhook(store, { ...webhook, temporary: true }, clock()));
    return state(context);
  });
  app.delete('/:id', (context) => {
    const id = context.req.param('id');
    if (store.write(() => removeWebhook(store, id))) return state(context);
    throw new ApiError('NOT_FOUND', 'There is no such webhook.');
  });
  return app;
}
