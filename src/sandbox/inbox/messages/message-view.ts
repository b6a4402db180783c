import { html } from 'hono/html';
import type { EmailFinding } from '../../../shared/check/finding.ts';
import type { Message } from '../../model/email/message.ts';
import type { Store } from '../../store/store.ts';
import { emailStatusBadge } from '../page/badge.ts';
import { asks, confirmation } from '../page/confirmation.ts';
import { copyButton } from '../page/copyable.ts';
import type { Html } from '../page/html.ts';
import { exactMoment } from '../page/moment.ts';
import { brief, shownSubject } from '../page/words.ts';
import { attachmentList } from './attachments.ts';
import { checkView } from './check-view.ts';
import { type HtmlOptions, htmlView } from './html-view.ts';
import { messageListUrl, searchOf } from './list-view.ts';
import type { ListPosition } from './listed-messages.ts';
import { timeline } from './timeline.ts';

/** The tabs of a message, by name in the URL. */
const views = {
  html: 'HTML',
  code: 'HTML source',
  text: 'Text',
  source: 'Raw',
  headers: 'Headers',
  attachments: 'Attachments',
  check: 'Check',
  events: 'Events',
} as const;

export type MessageTab = keyof typeof views;

/** The tab that a URL names, or the first one that the message has. */
export function viewOf(name: string | undefined, message: Message): MessageTab {
  const there = viewsFor(message);
  return there.find((view) => view === name) ?? there[0] ?? 'source';
}

function viewsFor({ hasHtml, hasText, attachments }: Message): MessageTab[] {
  return [
    ...(hasHtml ? (['html'] as const) : []),
    ...(hasText ? (['text'] as const) : []),
    ...(hasHtml ? (['code'] as const) : []),
    'source',
    'headers',
    ...(attachments.length > 0 ? (['attachments'] as const) : []),
    'check',
    'events',
  ];
}

interface MessageView {
  readonly store: Store;
  readonly message: Message;
  readonly view: MessageTab;
  readonly place: ListPosition;
  /** The HTML, the text or the source, as the tab shows it. */
  readonly content: string;
  readonly options: HtmlOptions;
  /** The findings of a check, for its tab. */
  readonly findings: readonly EmailFinding[];
}

/** A message: its header, its tabs and the open tab. */
export function messageView(shown: MessageView): Html {
  const { message, view, place } = shown;
  return html`<article class="reader" id="message" tabindex="-1" aria-labelledby="subject">
<header class="head">
<a class="back" href="${messageListUrl(place)}">Back to the messages</a>
<div class="head-line"><h1 id="subject">${shownSubject(message.subject)}</h1>
<span class="actions">${messageState(message)}${asks('delete', 'Delete')}</span></div>
${facts(message)}
</header>
<nav class="tabs" aria-label="Views of the message">${viewsFor(message).map(
    (one) =>
      html`<a href="${searchOf(place, { view: one }) || '?'}"${
        one === view ? html` aria-current="page"` : ''
      }>${views[one]}${one === 'attachments' ? ` (${message.attachments.length})` : ''}</a>`,
  )}</nav>
${contentOf(shown)}
${confirmation({
  id: 'delete',
  question: 'Delete this message?',
  explanation: 'Its history and attachments are deleted, too. This cannot be undone.',
  action: `${messagePath(message)}/delete${searchOf(place)}`,
  label: 'Delete',
})}
</article>`;
}

/** The parts of a message that the script updates. */
export function messageUpdate(store: Store, message: Message): Html {
  return html`${messageState(message)}${timeline(store, message)}`;
}

function messageState({ status }: Message): Html {
  return html`<span data-renew id="state">${emailStatusBadge(status)}</span>`;
}

function facts(message: Message): Html {
  const { id, createdAt, scheduledAt, campaignId, campaignName, inReplyToId } = message;
  return html`<dl class="facts small">
${fact(
  'From',
  html`<bdi>${message.sender}</bdi>${
    campaignId === null
      ? ''
      : html` <a class="unsubscribe" href="/unsubscribe/${encodeURIComponent(id)}" target="_blank" rel="noopener"
>Unsubscribe</a>`
  }`,
)}
${addresses('To', message.to)}
${addresses('Cc', message.cc)}
${addresses('Bcc', message.bcc)}
${addresses('Reply-To', message.replyTo)}
${fact('Date', exactMoment(Math.max(createdAt, scheduledAt ?? 0)))}
${
  inReplyToId === null
    ? ''
    : fact(
        'Reply to',
        html`<a href="/messages/${encodeURIComponent(inReplyToId)}">${shownSubject(message.inReplyToSubject ?? inReplyToId)}</a>`,
      )
}
${
  campaignId === null
    ? ''
    : fact(
        'Campaign',
        html`<a href="/campaigns/${encodeURIComponent(campaignId)}"><bdi>${campaignName ?? campaignId}</bdi></a>`,
      )
}
</dl>`;
}

function addresses(name: string, list: readonly string[]): Html | '' {
  if (list.length === 0) return '';
  return fact(
    name,
    html`${list.map((one, index) => html`${index === 0 ? '' : ', '}<bdi>${one}</bdi>`)}`,
  );
}

function fact(name: string, value: Html): Html {
  return html`<dt>${name}</dt><dd>${value}</dd>`;
}

function messagePath({ id }: Message): string {
  return `/messages/${encodeURIComponent(id)}`;
}

function contentOf({ store, message, view, place, content, options, findings }: MessageView): Html {
  const url = messagePath(message);
  switch (view) {
    case 'html':
      return htmlView({ url, content, place, options });
    case 'code':
      return html`<div class="view" data-copyable><p>${copyButton('HTML source')}</p>
<pre class="wrap copied">${content}</pre></div>`;
    case 'text':
      return html`<div class="view"><pre class="wrap letter">${plainText(content)}</pre></div>`;
    case 'source':
      return html`<div class="view"><p><a class="button" href="${url}/source.eml" download
>Download .eml</a></p><pre class="source">${content}</pre></div>`;
    case 'headers':
      return html`<div class="view">${headers(message)}</div>`;
    case 'attachments':
      return html`<div class="view">${attachmentList(message.attachments, url)}</div>`;
    case 'check':
      return html`<div class="view">${checkView(findings)}</div>`;
    case 'events':
      return html`<div class="view">${timeline(store, message)}</div>`;
  }
}

/** At the end of a link, punctuation belongs to the sentence around it. */
const trailing = new Set('.,;:!?)]}>\'"');

/** Text with its web addresses as links. */
function plainText(text: string): Html {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/i);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : link(part)))}`;
}

function link(found: string): Html {
  let end = found.length;
  // A pattern would take quadratic time for a long row of dots.
  while (end > 0 && trailing.has(found.charAt(end - 1))) end--;
  const url = found.slice(0, end);
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${url}</a>${found.slice(end)}`;
}

/** The most characters shown of a header; the source has all of them. */
const headerShown = 20_000;

function headers({ headers, ...message }: Message): Html {
  const rows: [string, string][] = [
    ['From', message.sender],
    ['To', message.to.join(', ')],
    ['Cc', message.cc.join(', ')],
    ['Bcc (not in the message)', message.bcc.join(', ')],
    ['Reply-To', message.replyTo.join(', ')],
    ['Subject', message.subject],
    ...Object.entries(headers),
  ];
  return html`<dl class="facts">${rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => fact(name, brief(value, headerShown)))}</dl>`;
}
