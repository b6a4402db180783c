import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { LinkedContact, LinkTarget } from '../model/contact/unsubscriptions.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The page of an unsubscribe link; all values are escaped. */
export function unsubscribedPage({ contact }: LinkTarget): Html {
  if (contact === undefined) return gonePage();
  return page(
    'You are unsubscribed',
    html`<p>${contact.email} will no longer get campaigns sent to “${contact.book}”.</p>
${actionForm('resubscribe', 'Subscribe again')}`,
  );
}

/** The page after resubscribing. */
export function resubscribedPage({ contact }: LinkTarget): Html {
  if (contact === undefined) return gonePage();
  return page(
    'You are subscribed again',
    html`<p>${contact.email} will get campaigns sent to “${contact.book}” again.</p>
${actionForm('unsubscribe', 'Unsubscribe')}`,
  );
}

/** The page after confirming a subscription. */
export function confirmedPage({ email, book }: LinkedContact): Html {
  return page(
    'Your subscription is confirmed',
    html`<p>${email} will get campaigns sent to “${book}”.</p>`,
  );
}

/** The page of an unknown link. */
export function unknownPage(): Html {
  return page(
    'This link is not known',
    html`<p>It was not sent by this sandbox, or the sandbox has been reset since. Nothing has changed.</p>`,
  );
}

function gonePage(): Html {
  return page(
    'You are no longer on the list',
    html`<p>The contact has been deleted. There is nothing to change.</p>`,
  );
}

function actionForm(action: 'resubscribe' | 'unsubscribe', label: string): Html {
  return html`<form method="post"><button name="action" value="${action}">${label}</button></form>`;
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<main>
<div class="empty">
<h1>${title}</h1>
${body}
</div>
</main>
</body>
</html>`;
}
