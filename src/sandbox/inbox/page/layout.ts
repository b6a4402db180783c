import { html, raw } from 'hono/html';
import { countUnread } from '../../model/email/unread.ts';
import type { Store } from '../../store/store.ts';
import { accountsPlace } from './accounts.ts';
import type { Html } from './html.ts';
import { keysHelp } from './keys.ts';
import { count } from './paging.ts';

/** The links of the navigation. */
const sections = [
  ['/', 'Messages'],
  ['/campaigns', 'Campaigns'],
  ['/contacts', 'Contacts'],
  ['/domains', 'Domains'],
  ['/reputation', 'Reputation'],
  ['/requests', 'Requests'],
  ['/calls', 'Calls'],
] as const;

export interface PageParts {
  readonly store: Store;
  readonly title: string;
  /** The current section in the navigation. */
  readonly section: (typeof sections)[number][0];
  readonly body: Html;
  /** `sheet`, the default, has margins; `columns` fills the window. */
  readonly layout?: 'sheet' | 'columns';
  /** The id that the skip link leads to; by default the main landmark. */
  readonly skipTo?: string;
}

/** A page with `body` in its main landmark. The body of a sheet begins with an `h1`. */
export function page(parts: PageParts): Html {
  const { store, title, section, body, layout = 'sheet', skipTo = 'main' } = parts;
  const unread = countUnread(store);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="The local sandbox of an email delivery service.">
<title>${unread === 0 ? '' : `(${count(unread)}) `}${title} · mailer sandbox</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">
<link rel="stylesheet" href="/assets/messages.css">
<link rel="stylesheet" href="/assets/records.css">
<script src="/assets/client.js" type="module"></script>
</head>
<body>
<a class="skip" href="#${skipTo}">Skip to content</a>
<header class="bar">
<a class="brand" href="/" aria-label="mailer sandbox">${icon()}<span>mailer sandbox</span></a>
<nav class="choice" aria-label="Sections">
${sections.map(
  ([href, name]) =>
    html`<a href="${href}"${href === section ? html` aria-current="page"` : ''}>${name}${
      href === '/' ? unreadCount(store) : ''
    }</a>`,
)}
</nav>
${raw(accountsPlace)}${keysHelp()}
</header>
<main id="main" class="${layout}" tabindex="-1">${body}</main>
</body>
</html>`;
}

/** How many messages nobody has opened; empty if none. The script keeps it current. */
export function unreadCount(store: Store): Html {
  const unread = countUnread(store);
  return html`<span id="unread" class="unread">${
    unread === 0 ? '' : html`${count(unread)}<span class="hidden"> unread</span>`
  }</span>`;
}

function icon(): Html {
  return html`<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor"
stroke-width="1.7" stroke-linejoin="round" aria-hidden="true"><path d="M2 5.5h16v10H2z"/><path
d="m2.5 6 7.5 6 7.5-6"/></svg>`;
}
