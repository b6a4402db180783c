import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML in which all values are escaped: what hono's `html` gives. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The pages that the navigation leads to. */
const sections = [
  ['/', 'Messages'],
  ['/campaigns', 'Campaigns'],
  ['/contacts', 'Contacts'],
  ['/domains', 'Domains'],
  ['/reputation', 'Reputation'],
  ['/requests', 'Requests'],
] as const;

export interface Page {
  readonly title: string;
  /** The section that the navigation shows as the current one. */
  readonly section: (typeof sections)[number][0];
  readonly body: Html;
}

/** A whole page. */
export function page({ title, section, body }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · mailer sandbox</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="stylesheet" href="/assets/records.css">
</head>
<body>
<header class="bar">
<nav aria-label="Sections">
${sections.map(
  ([href, name]) =>
    html`<a href="${href}"${href === section ? html` aria-current="page"` : ''}>${name}</a>`,
)}
</nav>
</header>
<main>${body}</main>
</body>
</html>`;
}
