import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../http/account-service.ts';
import { pagesOf } from '../model/api-account.ts';
import client from './assets/client.js' with { type: 'text' };
import icon from './assets/icon.svg' with { type: 'text' };
import messagesStyle from './assets/messages.css' with { type: 'text' };
import records from './assets/records.css' with { type: 'text' };
import style from './assets/style.css' with { type: 'text' };
import { callPages } from './calls/calls.ts';
import { campaignPages } from './campaigns/campaigns.ts';
import { contactPages } from './contacts/contacts.ts';
import { domainPages } from './domains/domains.ts';
import { messagePages } from './messages/messages.ts';
import { ofAccount } from './page/accounts.ts';
import { page } from './page/layout.ts';
import { reputationPages } from './reputation/reputation.ts';
import { requestPages } from './requests/requests.ts';

/** Pages may load only from this server, and run no inline script or style. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of responses that do not set their own. */
const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const assets = [
  ['style.css', 'text/css', style],
  ['messages.css', 'text/css', messagesStyle],
  ['records.css', 'text/css', records],
  ['client.js', 'text/javascript', client],
  ['icon.svg', 'image/svg+xml', icon],
] as const;

/** Makes a page one of its account, and a redirection, too. Mail in a frame, which has a policy of its own, stays as it is. */
async function showAccount(context: Context, { account, accounts }: AccountService): Promise<void> {
  const { res } = context;
  const to = res.headers.get('Location');
  if (to !== null) context.header('Location', `${pagesOf(account)}${to}`);
  const isPage = /^text\/html/.test(res.headers.get('Content-Type') ?? '');
  if (!isPage || res.headers.has('Content-Security-Policy')) return;
  const names = accounts();
  if (names.length === 0) return;
  const { status, headers } = res;
  context.res = new Response(await ofAccount(await res.text(), { account, names }), {
    status,
    headers,
  });
}

/** The pages for people, at the root of the service. */
export function createInbox(service: AccountService): Hono {
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    await showAccount(context, service);
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!context.res.headers.has(name)) context.header(name, value);
    }
    // Mail is private, and another version may serve this origin later.
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store');
  });

  for (const [name, type, text] of assets) {
    app.get(`/assets/${name}`, (context) =>
      context.body(text, 200, { 'Content-Type': `${type}; charset=utf-8` }),
    );
  }

  app.route('/', messagePages(service));
  app.route('/campaigns', campaignPages(service));
  app.route('/contacts', contactPages(service));
  app.route('/domains', domainPages(service));
  app.route('/reputation', reputationPages(service));
  app.route('/requests', requestPages(service));
  app.route('/calls', callPages(service));

  app.notFound((context) =>
    context.html(
      page({
        store: service.store,
        title: 'Not found',
        section: '/',
        body: html`<h1>Page not found</h1>
<p>The sandbox may have been reset. <a href="/">All messages</a></p>`,
      }),
      404,
    ),
  );
  return app;
}
