import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { findCall, listWebhooks, repeatCall } from '../../model/webhooks.ts';
import type { Html } from '../page/html.ts';
import { moment } from '../page/moment.ts';
import { pager, readPage } from '../page/paging.ts';
import { type Asked, type SectionPage, sectionPages } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief } from '../page/words.ts';
import { type CallOutcome, callBadge, callPage } from './call-view.ts';

/** The list of calls to handlers of webhooks, and each with its attempts. */
export function callPages(service: AccountService): Hono {
  const { store, clock } = service;
  const app = sectionPages(service, '/calls', { list, find: findCall, show: callPage });
  app.post('/:id/repeat', (context) => {
    const { id } = context.req.param();
    const isThere = store.write(() => repeatCall(store, id, clock()));
    return isThere ? context.redirect(`/calls/${encodeURIComponent(id)}`, 303) : context.notFound();
  });
  return app;
}

interface Row extends Omit<CallOutcome, 'delivered'> {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly createdAt: number;
  readonly delivered: number;
}

function list({ store, query, now }: Asked): SectionPage {
  const { rows, paging } = readPage<Row>(store, query.page, {
    sql: `SELECT c.id, c.type, w.url, c.created_at, c.due_at, c.attempts, c.delivered, c.status
      FROM webhook_calls c JOIN webhooks w ON w.id = c.webhook_id`,
    order: 'c.seq DESC',
  });
  const handlers = listWebhooks(store);
  return {
    title: 'Calls',
    body: html`<div class="heading"><h1>Calls</h1>
<p class="muted">What handlers of webhooks were told.</p></div>
<div id="list" data-renew>
${handlers
  .filter(({ enabled }) => !enabled)
  .map(
    ({ url }) =>
      html`<p>${brief(url)} gets no calls, because 30 in a row failed. Repeat one to switch it on again.</p>`,
  )}
${rows.length === 0 ? nothing(handlers.length) : callTable(rows, now)}
${pager(paging)}</div>`,
  };
}

function nothing(handlers: number): Html {
  return handlers === 0
    ? html`<p>There is no handler. To add one: <code>mailer sandbox webhook add localhost:3000/webhooks</code></p>`
    : html`<p>No calls yet. They appear here automatically.</p>`;
}

function callTable(rows: readonly Row[], now: number): Html {
  return table({
    caption: 'Calls, newest first',
    columns: ['Event', 'Outcome', 'Attempts', 'Handler', 'When'],
    numbers: ['Attempts'],
    rows: rows.map((row) => [
      html`<a class="request" href="/calls/${encodeURIComponent(row.id)}"><code>${row.type}</code></a>`,
      callBadge({ ...row, delivered: row.delivered === 1 }),
      String(row.attempts),
      brief(row.url, 80),
      moment(row.createdAt, now),
    ]),
  });
}
