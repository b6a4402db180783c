import { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { type ReputationEventRow, selectReputationEvent } from '../../model/reputation-events.ts';
import type { Html } from '../page/html.ts';
import { page } from '../page/layout.ts';
import { exactMoment, moment } from '../page/moment.ts';
import { count, pager, readPage } from '../page/paging.ts';
import { table } from '../page/table.ts';
import { brief, dash } from '../page/words.ts';
import { plot, stateBadge } from './reputation-plot.ts';

const newestFirst = 'created_at DESC, id DESC';

/** The changes of the account's deliverability state, as a plot and a table. */
export function reputationPages({ store, clock }: AccountService): Hono {
  const app = new Hono();

  app.get('/', (context) => {
    const now = clock();
    const { rows: events, paging } = readPage<ReputationEventRow>(
      store,
      context.req.query('page'),
      { sql: selectReputationEvent, order: newestFirst },
    );
    const [newest] = events;
    // The last state of an older page lasted until the first change of the page before it.
    const next = store.one<ReputationEventRow>(
      `${selectReputationEvent} ORDER BY ${newestFirst} LIMIT 1 OFFSET ?`,
      paging.offset - 1,
    );
    const end = paging.page === 1 ? now : (next?.createdAt ?? now);
    const body =
      newest === undefined
        ? html`<h1>Reputation</h1><p>The account is healthy; its state has never changed.</p>`
        : html`<h1>Reputation</h1>
${paging.page === 1 ? current(newest, now) : ''}
<section class="panel" aria-labelledby="plot"><h2 id="plot">Bounce rate at each change of state</h2>
${plot(events.toReversed(), end)}</section>
<section class="part" aria-labelledby="changes"><h2 id="changes">Changes of state</h2>
${eventTable(events)}${pager(paging)}</section>`;
    return context.html(page({ store, title: 'Reputation', section: '/reputation', body }));
  });

  return app;
}

function current(event: ReputationEventRow, now: number): Html {
  return html`<p>The account has been ${stateBadge(event.toState)} since ${moment(event.createdAt, now)}, when the bounce rate of ${count(event.sampleSize)} messages was ${rate(event.bounceRate)}.</p>`;
}

function eventTable(events: readonly ReputationEventRow[]): Html {
  return table({
    caption: 'Changes of the deliverability state, newest first',
    columns: ['When', 'From', 'To', 'Bounce rate', 'Messages', 'By', 'Reason'],
    numbers: ['Bounce rate', 'Messages'],
    rows: events.map((event) => [
      exactMoment(event.createdAt),
      stateBadge(event.fromState),
      stateBadge(event.toState),
      rate(event.bounceRate),
      count(event.sampleSize),
      event.actor === 'suporte'
        ? html`${brief(event.actor)} <span class="muted small">provider staff</span>`
        : brief(event.actor),
      event.reason === null ? dash : brief(event.reason, 1000),
    ]),
  });
}

/** Percent with at most three decimals. */
function rate(value: number): string {
  return `${Number(value.toFixed(3))}%`;
}
