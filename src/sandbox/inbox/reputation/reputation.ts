import { Hono } from 'hono';
import { html } from 'hono/html';
import { type ReputationEventRow, selectReputationEvent } from '../../model/reputation-events.ts';
import type { Store } from '../../store/store.ts';
import type { InboxOptions } from '../inbox-options.ts';
import { badge } from '../page/badge.ts';
import { type Html, page } from '../page/layout.ts';
import { exactMoment, moment } from '../page/moment.ts';
import { count, pager, pagingOf, rowsPerPage } from '../page/paging.ts';
import { table } from '../page/table.ts';
import { brief } from '../page/words.ts';
import { plot } from './reputation-plot.ts';
import { stateName, stateTone } from './reputation-state.ts';

/** The changes of the account's deliverability state, as a plot and as a table. */
export function reputationPages({ store, clock }: InboxOptions): Hono {
  const app = new Hono();

  app.get('/', (context) => {
    const now = clock();
    const total = store.one<{ total: number }>('SELECT count(*) AS total FROM reputation_events');
    const paging = pagingOf(context.req.query('page'), total?.total ?? 0);
    const events = changes(store, paging.offset);
    const [newest] = events;
    // The last state of an older page lasted until the first change of the page before it.
    const end =
      paging.page === 1 ? now : (changes(store, paging.offset - 1, 1)[0]?.createdAt ?? now);
    const body =
      newest === undefined
        ? html`<h1>Reputation</h1><p>The account's state has never changed: it is healthy.</p>`
        : html`<h1>Reputation</h1>
${paging.page === 1 ? current(newest, now) : ''}
<section class="panel" aria-labelledby="plot"><h2 id="plot">Bounce rate at each change of state</h2>
${plot(events.toReversed(), end)}</section>
<section class="part" aria-labelledby="changes"><h2 id="changes">Changes of state</h2>
${eventTable(events)}${pager(paging)}</section>`;
    return context.html(page({ title: 'Reputation', section: '/reputation', body }));
  });

  return app;
}

/** Newest first. */
function changes(store: Store, offset: number, limit = rowsPerPage): ReputationEventRow[] {
  return store.all<ReputationEventRow>(
    `${selectReputationEvent} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    limit,
    offset,
  );
}

function current(event: ReputationEventRow, now: number): Html {
  return html`<p>The account is ${stateBadge(event.toState)} since ${moment(event.createdAt, now)}; then ${rate(event.bounceRate)} of ${count(event.sampleSize)} messages had bounced.</p>`;
}

function eventTable(events: readonly ReputationEventRow[]): Html {
  return table({
    caption: 'Changes of the deliverability state, newest first',
    columns: [
      { name: 'When' },
      { name: 'From' },
      { name: 'To' },
      { name: 'Bounce rate', number: true },
      { name: 'Messages', number: true },
      { name: 'By' },
      { name: 'Reason' },
    ],
    rows: events.map((event) => [
      exactMoment(event.createdAt),
      stateBadge(event.fromState),
      stateBadge(event.toState),
      rate(event.bounceRate),
      count(event.sampleSize),
      event.actor === 'suporte'
        ? html`${brief(event.actor)} <span class="muted small">the provider's staff</span>`
        : brief(event.actor),
      event.reason === null ? html`<span class="muted">–</span>` : brief(event.reason, 1000),
    ]),
  });
}

function stateBadge(state: string): Html {
  return badge(stateName(state), stateTone(state));
}

/** Percent with at most three decimals. */
function rate(value: number): string {
  return `${Number(value.toFixed(3))}%`;
}
