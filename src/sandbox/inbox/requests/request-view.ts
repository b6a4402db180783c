import { html } from 'hono/html';
import type { LoggedRequest } from '../../http/logged-requests.ts';
import { noAnswer } from '../../http/request-log.ts';
import type { Store } from '../../store/store.ts';
import { badge, type Tone } from '../page/badge.ts';
import { bodyBlock } from '../page/body-block.ts';
import { copyButton } from '../page/copyable.ts';
import type { Html } from '../page/html.ts';
import { exactMoment } from '../page/moment.ts';
import { count } from '../page/paging.ts';
import type { Asked, SectionPage } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief, truncated } from '../page/words.ts';
import { curlLine } from './curl-line.ts';

/** A request in the list. */
export interface ListedRequest extends LoggedRequest {
  seq: number;
}

interface RecordRow extends ListedRequest {
  requestHeaders: (readonly [string, string])[];
  requestBody: string;
  requestLength: number;
  replyHeaders: (readonly [string, string])[];
  replyBody: string;
  replyLength: number;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The recorded request with this number, and its response. */
export function findRecord(store: Store, seq: number): RecordRow | undefined {
  const record = store.one<Omit<RecordRow, 'requestBody'> & { requestBytes: Uint8Array }>(
    // As bytes: Node 22.19 reads text only up to a NUL character, and a body may be anything.
    `SELECT seq, at, milliseconds, method, path, status, reason, request_headers, request_length,
       CAST(request_body AS BLOB) AS requestBytes, reply_headers, reply_body, reply_length
     FROM requests WHERE seq = ?`,
    seq,
  );
  return record && { ...record, requestBody: utf8.decode(record.requestBytes) };
}

/** One request with its response. */
export function requestPage(record: RecordRow, { origin }: Asked): SectionPage {
  const { method, path, status, reason, requestHeaders } = record;
  const curl = curlLine({
    method,
    url: `${origin}${path}`,
    headers: requestHeaders,
    body: record.requestBody,
    isWhole: record.requestBody.length === record.requestLength,
  });
  return {
    title: `${method} ${truncated(path, 60)}`,
    body: html`<div class="heading"><p class="up"><a href="/requests">All requests</a></p>
<h1><code class="method">${method}</code> <code>${brief(path, 500)}</code></h1>
<p>${httpStatusBadge(status)} ${exactMoment(record.at)}, response after ${durationText(record.milliseconds)}</p></div>
${reason === null ? '' : refusal(reason)}
<section class="panel" aria-labelledby="request"><h2 id="request">Request</h2>
${headerTable('Headers of the request', requestHeaders)}
${bodyBlock('The request', record.requestBody, record.requestLength)}</section>
<section class="panel" aria-labelledby="response"><h2 id="response">Response</h2>
${headerTable('Headers of the response', record.replyHeaders)}
${bodyBlock('The response', record.replyBody, record.replyLength)}</section>
<section class="panel" aria-labelledby="again" data-copyable><h2 id="again">Repeat this request</h2>
<p class="muted">The API key comes from <code>MAILER_API_KEY</code>.${
      curl.note === '' ? '' : html` ${curl.note}`
    } ${copyButton('curl line')}</p>
<pre class="wrap selectable" tabindex="0">${curl.line}</pre></section>`,
  };
}

function refusal(reason: string): Html {
  const lines = reason.split('\n');
  return html`<section class="panel refusal" aria-labelledby="reason"><h2 id="reason">Why it was rejected</h2>
<ul>${lines.map((line) => html`<li>${brief(line, 1000)}</li>`)}</ul></section>`;
}

function headerTable(caption: string, headers: readonly (readonly [string, string])[]): Html {
  return html`<details><summary>${caption} (${count(headers.length)})</summary>
${table({
  caption,
  columns: ['Header', 'Value'],
  rows: headers.map(([name, value]) => [
    html`<code>${name}</code>`,
    html`<code>${brief(value, 2000)}</code>`,
  ]),
})}</details>`;
}

/** The HTTP status, or that there was no response. */
export function httpStatusBadge(status: number): Html {
  return status === noAnswer ? badge('no response', 'bad') : badge(String(status), toneOf(status));
}

function toneOf(status: number): Tone {
  if (status < 300) return 'good';
  if (status < 400) return 'neutral';
  return status < 500 ? 'warn' : 'bad';
}

/** A duration in milliseconds: `0.8 ms`, `35 ms`, `1.2 s`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${milliseconds.toFixed(0)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
