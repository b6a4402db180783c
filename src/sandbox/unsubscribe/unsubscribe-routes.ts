import { type Context, Hono } from 'hono';
import { confirmSubscription } from '../model/contact/double-opt-in.ts';
import {
  findLinkTarget,
  findSubscriber,
  resubscribe,
  unsubscribe,
} from '../model/contact/unsubscriptions.ts';
import type { Store } from '../store/store.ts';
import {
  confirmedPage,
  resubscribedPage,
  unknownPage,
  unsubscribedPage,
} from './unsubscribe-pages.ts';

interface UnsubscribeOptions {
  readonly store: Store;
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
}

/** Headers of every response. A page must be current, even when the browser goes back to it. */
const headers = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * The pages of links in campaigns and confirmations. A GET (a click) unsubscribes or confirms, and
 * shows a page; HEAD and prefetching change nothing. A POST comes from the page's button, or is the
 * one-click request of RFC 8058, whose response has no page.
 */
export function createUnsubscribe({ store, clock }: UnsubscribeOptions): Hono {
  const app = new Hono();

  // The service handles errors.
  app.onError((error) => {
    throw error;
  });

  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
  });

  app.get('/unsubscribe/:emailId', (context) => {
    const { emailId } = context.req.param();
    if (isPrefetch(context.req.raw.headers)) return notFetchedAhead(context);
    const target =
      context.req.method === 'HEAD'
        ? findLinkTarget(store, emailId)
        : store.write(() => unsubscribe(store, emailId, clock()));
    if (target === undefined) return context.html(unknownPage(), 404);
    return context.html(unsubscribedPage(target));
  });

  // Double opt-in.
  app.get('/subscribe/:contactId', (context) => {
    const { contactId } = context.req.param();
    if (isPrefetch(context.req.raw.headers)) return notFetchedAhead(context);
    const contact =
      context.req.method === 'HEAD'
        ? findSubscriber(store, contactId)
        : store.write(() => confirmSubscription(store, contactId, clock()));
    if (contact === undefined) return context.html(unknownPage(), 404);
    return context.html(confirmedPage(contact));
  });

  app.post('/unsubscribe/:emailId', async (context) => {
    const { emailId } = context.req.param();
    const form = await context.req.parseBody().catch(() => undefined);
    if (form === undefined) return context.text('The body is not a form.\n', 400);
    const again = form.action === 'resubscribe';
    const change = again ? resubscribe : unsubscribe;
    const target = store.write(() => change(store, emailId, clock()));
    if (target === undefined) return context.html(unknownPage(), 404);
    if (again) return context.html(resubscribedPage(target));
    if (form.action === 'unsubscribe') return context.html(unsubscribedPage(target));
    return context.text('You are unsubscribed.\n');
  });

  return app;
}

/** An error, because a browser would reuse a prefetched page instead of sending the request. */
function notFetchedAhead(context: Context): Response {
  return context.text('This link works only when it is clicked.\n', 503);
}

function isPrefetch(given: Headers): boolean {
  const purpose = given.get('Sec-Purpose') ?? given.get('Purpose') ?? given.get('X-Moz') ?? '';
  return /\bprefetch\b/i.test(purpose);
}
