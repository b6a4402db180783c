import { html } from 'hono/html';
import { readQuery } from '../../model/email/message-query.ts';
import { emailStatusBadge } from '../page/badge.ts';
import { asks, confirmation } from '../page/confirmation.ts';
import type { Html } from '../page/html.ts';
import { filterList } from '../page/keys.ts';
import { moment } from '../page/moment.ts';
import { searchForm } from '../page/search-form.ts';
import { plural, shownName, shownSubject } from '../page/words.ts';
import type { ListedMessage, ListPosition, MessagePage } from './listed-messages.ts';

export interface ListView {
  readonly place: ListPosition;
  readonly page: MessagePage;
  /** The number of all messages. */
  readonly total: number;
  /** The number of messages that nobody has opened. */
  readonly unread: number;
  /** The id of the open message. */
  readonly open?: string | undefined;
  /** The result of the last action. */
  readonly notice?: string | undefined;
  /** By the sandbox's clock: milliseconds since 1970. */
  readonly now: number;
}

/** The list of messages. */
export function messageList(view: ListView, heading: Html): Html {
  const { place } = view;
  return html`<section class="list" aria-label="Messages">
<div class="list-head">
<div class="head-line">${heading}${listActions(view)}</div>
${view.notice === undefined ? '' : html`<p class="small" role="status">${view.notice}</p>`}
${searchForm({ label: 'Search messages', value: place.query, action: '/' })}
${listCount(view)}
</div>
${listRows(view)}
${listPager(view)}
${deleteAll(view)}
</section>`;
}

/** The parts of the list that the script updates. */
export function listUpdate(view: ListView): Html {
  return html`${listActions(view)}${listCount(view)}${listRows(view)}${listPager(view)}`;
}

function listActions({ place, page, total, unread }: ListView): Html {
  const some = place.query === '' ? total > 0 : page.messages.length > 0;
  return html`<section data-renew id="actions" class="actions">${
    unread === 0
      ? ''
      : html`<form method="post" action="/read${searchOf(place)}"><button class="quiet">Mark all as read</button></form>`
  }${some ? asks('delete-all', place.query === '' ? 'Delete all' : 'Delete found') : ''}</section>`;
}

function deleteAll({ place: { query } }: ListView): Html {
  const isSearch = query !== '';
  return confirmation({
    id: 'delete-all',
    question: isSearch ? 'Delete what this search finds?' : 'Delete all messages?',
    explanation: isSearch
      ? 'All messages that the search finds are deleted, on all its pages. This cannot be undone.'
      : 'Campaigns, contacts and domains stay. This cannot be undone.',
    action: '/delete',
    fields: { q: query },
    label: isSearch ? 'Delete found messages' : 'Delete all messages',
  });
}

function listCount({ place, page, total }: ListView): Html {
  return html`<div data-renew id="count" class="muted small">${
    place.query === '' ? plural(total, 'message') : found(place.query, page, total)
  }</div>`;
}

function found(query: string, page: MessagePage, total: number): Html {
  const { problems } = readQuery(query);
  const all = html`<a href="/">Show all</a>`;
  if (problems.length > 0) {
    return html`${problems.map((problem) => html`<p class="problem">${problem}</p>`)}<p>${all}</p>`;
  }
  const many = page.hasOlder || page.hasNewer;
  const shown = many ? `More than ${page.messages.length}` : page.messages.length || 'None';
  return html`<p>${shown} of ${plural(total, 'message')} found. ${all}</p>${
    page.messages.length === 0 ? html`<p>Filters:</p>${filterList()}` : ''
  }`;
}

function listRows(view: ListView): Html {
  return html`<ol id="rows" class="rows">${view.page.messages.map((one) => row(one, view))}</ol>`;
}

function row(message: ListedMessage, { place, open, now }: ListView): Html {
  const { id, sender, to, subject, snippet, status, at, hasAttachments, isUnread } = message;
  const current = id === open ? html` aria-current="true"` : '';
  return html`<li id="row-${id}"><a class="row" href="${messageUrl(id, place)}"${current}>
<span class="row-line"><span class="row-subject">${shownSubject(subject)}</span>
<span data-live>${isUnread ? unreadMark() : ''}${moment(at, now)}</span></span>
<span class="row-line"><span class="row-who">${shownName(sender)} <span class="muted">to</span>
${shownNames(to)}</span>${hasAttachments ? clip() : ''}
<span data-live>${emailStatusBadge(status)}</span></span>
<span class="row-snippet muted">${snippet}</span></a></li>`;
}

function unreadMark(): Html {
  return html`<span class="dot"></span><span class="hidden">Unread </span>`;
}

function shownNames(addresses: readonly string[]): Html {
  const [first = '', ...more] = addresses;
  return html`<bdi>${first}</bdi>${more.length === 0 ? '' : ` and ${more.length} more`}`;
}

function clip(): Html {
  return html`<svg class="clip" role="img" width="14" height="14" viewBox="0 0 16 16" fill="none"
stroke="currentColor" stroke-width="1.5" stroke-linecap="round"><title>Has attachments</title><path
d="M11 5v6a3 3 0 0 1-6 0V4a2 2 0 0 1 4 0v6.500a1 1 0 0 1-2 0V5.500"/></svg>`;
}

function listPager({ place: { query }, page }: ListView): Html {
  const first = page.messages.at(0)?.seq;
  const last = page.messages.at(-1)?.seq;
  return html`<nav data-renew id="pager" class="pager" aria-label="Pages of the list">
${page.hasNewer ? html`<a id="newer" class="button" href="${messageListUrl({ query, after: first })}">Newer</a>` : ''}
${page.hasOlder ? html`<a id="older" class="button" href="${messageListUrl({ query, before: last })}">Older</a>` : ''}
</nav>`;
}

/** The URL of the list at a position. */
export function messageListUrl(place: ListPosition): string {
  return `/${searchOf(place)}`;
}

/** The URL of a message beside the list at a position. */
function messageUrl(id: string, place: ListPosition): string {
  return `/messages/${encodeURIComponent(id)}${searchOf(place)}`;
}

/** A position, and `more` parameters, as the query of a URL. */
export function searchOf(
  { query, before, after }: ListPosition,
  more: Record<string, string> = {},
): string {
  const search = new URLSearchParams({
    ...(query === '' ? {} : { q: query }),
    ...(before === undefined ? {} : { before: String(before) }),
    ...(after === undefined ? {} : { after: String(after) }),
    ...more,
  });
  return search.size === 0 ? '' : `?${search}`;
}
