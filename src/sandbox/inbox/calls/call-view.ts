import { html } from 'hono/html';
import { requestOf } from '../../calls/request-of.ts';
import type { CallInFull } from '../../model/webhooks.ts';
import { badge } from '../page/badge.ts';
import { bodyBlock } from '../page/body-block.ts';
import type { Html } from '../page/html.ts';
import { exactMoment, moment } from '../page/moment.ts';
import type { Asked, SectionPage } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief } from '../page/words.ts';

/** What came of a call so far. */
export interface CallOutcome {
  readonly delivered: boolean;
  readonly attempts: number;
  /** When the next attempt is due; null if there is none. */
  readonly dueAt: number | null;
  /** Of the last response; null if there was none. */
  readonly status: number | null;
}

/** The outcome of a call in a word or two. */
export function callBadge({ delivered, attempts, dueAt, status }: CallOutcome): Html {
  if (delivered) return badge(`delivered, ${status}`, 'good');
  if (attempts === 0) return badge('waits', 'neutral');
  const last = status === null ? 'no response' : String(status);
  return dueAt === null ? badge(`failed, ${last}`, 'bad') : badge(`${last}, is repeated`, 'warn');
}

/** One call: its attempts with what was answered, and the request of the last one. */
export function callPage(call: CallInFull, { now }: Asked): SectionPage {
  const { id, type, url, made, dueAt } = call;
  const last = made.at(-1);
  const { headers, body } = requestOf(call, last?.attempt ?? 1, last?.signedAt ?? now);
  const outcome = { ...call, status: last?.status ?? null };
  return {
    title: `Call ${type}`,
    body: html`<div class="heading"><p class="up"><a href="/calls">All calls</a></p>
<h1><code>${type}</code></h1>
<p>${callBadge(outcome)} to ${brief(url, 500)}, ${exactMoment(call.createdAt)}</p>
${dueAt === null ? '' : html`<p>The next attempt is due ${moment(dueAt, now)}.</p>`}
<form method="post" action="/calls/${encodeURIComponent(id)}/repeat"><button>Repeat now</button></form></div>
<section class="panel" aria-labelledby="attempts"><h2 id="attempts">Attempts</h2>
${made.length === 0 ? html`<p class="muted">There was none yet.</p>` : made.map(attempt)}</section>
<section class="panel" aria-labelledby="request"><h2 id="request">Request</h2>
<details><summary>Headers</summary>
${table({
  caption: 'Headers of the request',
  columns: ['Header', 'Value'],
  rows: Object.entries(headers).map(([name, value]) => [
    html`<code>${name}</code>`,
    html`<code>${value}</code>`,
  ]),
})}</details>
${bodyBlock('The request', body)}</section>`,
  };
}

function attempt({ attempt, at, status, response }: CallInFull['made'][number]): Html {
  const answered = status === null ? 'no response' : String(status);
  const isGood = status !== null && status >= 200 && status < 300;
  return html`<h3>Attempt ${attempt} ${badge(answered, isGood ? 'good' : 'bad')}</h3>
<p class="muted">${exactMoment(at)}</p>
${bodyBlock('The response', response)}`;
}
