import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { maxUnauthenticatedKept, requestsKept } from '../../http/request-log.ts';
import type { Html } from '../page/html.ts';
import { moment } from '../page/moment.ts';
import { count, pager, queryUrl, readPage } from '../page/paging.ts';
import { searchedFor, searchForm } from '../page/search-form.ts';
import { type Asked, type SectionPage, sectionPages } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief } from '../page/words.ts';
import {
  durationText,
  findRecord,
  httpStatusBadge,
  type ListedRequest,
  requestPage,
} from './request-view.ts';

/** The list of recorded requests, and each with its response. */
export function requestPages(service: AccountService): Hono {
  return sectionPages(service, '/requests', {
    list,
    find: (store, seq) => (/^\d{1,15}$/.test(seq) ? findRecord(store, Number(seq)) : undefined),
    show: requestPage,
  });
}

/** The columns that a search examines. */
const searched = [
  'path',
  'reason',
  'request_headers',
  'request_body',
  'reply_headers',
  'reply_body',
]
  // LIKE would take minutes to find a long run of one letter in bodies full of it.
  .map((column) => `instr(lower(${column}), sought)`)
  .join(' OR ');

function list({ store, query, now }: Asked): SectionPage {
  const refused = query.refused === '1';
  const q = searchedFor(query.q);
  // Without a response the status is 0.
  const refusals = refused ? ' AND status NOT BETWEEN 1 AND 399' : '';
  const { rows, paging } = readPage<ListedRequest>(store, query.page, {
    // `sought` is bound once: Node 22.19 binds no parameters with numbers, such as ?1.
    sql: `SELECT seq, at, milliseconds, method, path, status, reason
      FROM requests, (SELECT lower(?) AS sought)
      WHERE (sought = '' OR ${searched})${refusals}`,
    order: 'seq DESC',
    values: [q],
  });
  const kept = { q, refused: refused ? '1' : '' };
  return {
    title: 'Requests',
    body: html`<div class="heading"><h1>Requests</h1>
<p class="muted">The last ${requestsKept} requests to the API, and the last ${maxUnauthenticatedKept} blocked ones, from other sites or for other host names.</p></div>
<div class="tools">
${searchForm({ label: 'Search paths, bodies, request IDs', value: q, keep: { refused: kept.refused } })}
<nav class="choice" aria-label="Which requests">
<a href="${queryUrl({ q })}"${refused ? '' : html` aria-current="true"`}>All</a>
<a href="${queryUrl({ q, refused: '1' })}"${refused ? html` aria-current="true"` : ''}>Rejected only</a>
</nav></div>
<div id="list" data-renew>
${rows.length === 0 ? nothing(q, refused) : requestTable(rows, now)}
${pager(paging, kept)}</div>`,
  };
}

function nothing(q: string, refused: boolean): Html {
  if (q !== '') return html`<p>No request contains ${brief(q)}.</p>`;
  if (refused) return html`<p>No request was rejected.</p>`;
  return html`<p>No requests yet. They appear here automatically.</p>`;
}

function requestTable(rows: readonly ListedRequest[], now: number): Html {
  return table({
    caption: 'Requests to the API, newest first',
    columns: ['Request', 'Status', 'Reason', 'When', 'Took'],
    numbers: ['Took'],
    rows: rows.map((row) => [
      html`<a class="request" href="/requests/${row.seq}"><code class="method">${row.method}</code> <code>${brief(row.path)}</code></a>`,
      httpStatusBadge(row.status),
      row.reason === null ? '' : reason(row.reason),
      moment(row.at, now),
      durationText(row.milliseconds),
    ]),
  });
}

function reason(text: string): Html {
  const [first = '', ...others] = text.split('\n');
  return html`${brief(first)}${others.length === 0 ? '' : html` <span class="muted">and ${count(others.length)} more</span>`}`;
}
