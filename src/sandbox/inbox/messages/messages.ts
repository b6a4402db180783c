import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { composeMime } from '../../mail/mime.ts';
import { keyOf, pagesOf } from '../../model/api-account.ts';
import { deleteEmails } from '../../model/email/delete-emails.ts';
import { attachmentOf, findMessage, type Message, messageBody } from '../../model/email/message.ts';
import { findMessages } from '../../model/email/message-search.ts';
import { countUnread, markAllRead, markRead } from '../../model/email/unread.ts';
import { StorageFailure } from '../../store/storage-failure.ts';
import type { Html } from '../page/html.ts';
import { page, unreadCount } from '../page/layout.ts';
import { searchedFor } from '../page/search-form.ts';
import { plural, truncated } from '../page/words.ts';
import { findingsOf } from './check-view.ts';
import { downloadHeaders } from './download.ts';
import { htmlOptions } from './html-view.ts';
import { withInlineImages } from './inline-images.ts';
import { type ListView, listUpdate, messageList, searchOf } from './list-view.ts';
import { countMessages, type ListPosition, listMessages } from './listed-messages.ts';
import { mailDocument, mailHeaders, unsubscribable } from './mail-document.ts';
import { type MessageTab, messageUpdate, messageView, viewOf } from './message-view.ts';

/** The most characters shown of a message's source and of its HTML; the file has all of them. */
const sourceShown = 500_000;

/** The search for all messages that match. */
const all = { beyond: { before: Number.MAX_SAFE_INTEGER }, limit: Number.MAX_SAFE_INTEGER };

/** The list of messages, each message, and its files. */
export function messagePages({ store, clock, account }: AccountService): Hono {
  const app = new Hono();

  app.get('/', async (context) => {
    const place = placeOf(context);
    const { deleted = '' } = context.req.query();
    const notice = /^\d{1,9}$/.test(deleted)
      ? `${plural(Number(deleted), 'message')} deleted.`
      : undefined;
    const view = { ...listView(place), notice };
    const { origin } = new URL(context.req.url);
    return context.html(
      page({
        store,
        title: place.query === '' ? 'Messages' : `${place.query} · Messages`,
        section: '/',
        layout: 'columns',
        body: columns(
          place,
          undefined,
          html`${messageList(view, html`<h1>Messages</h1>`)}<section class="reader"
aria-label="How to send">${firstSteps(origin, keyOf(account), view.total === 0)}</section>`,
        ),
      }),
    );
  });

  // The parts that may have changed, which the script fetches periodically.
  app.get('/live', async (context) => {
    const open = context.req.query('open');
    const message = open === undefined ? undefined : findMessage(store, open);
    return context.html(
      html`${unreadCount(store)}${listUpdate(listView(placeOf(context), open))}${
        message === undefined ? '' : messageUpdate(store, message)
      }`,
    );
  });

  app.get('/messages/:id', async (context) => {
    const message = findMessage(store, context.req.param('id'));
    if (message === undefined) return context.notFound();
    if (context.req.method === 'GET') read(message.id);
    const place = placeOf(context);
    const view = viewOf(context.req.query('view'), message);
    const content = await contentOf(message, view, linkOrigin(context));
    return context.html(
      page({
        store,
        title: message.subject.trim() === '' ? 'Message' : truncated(message.subject),
        section: '/',
        layout: 'columns',
        skipTo: 'message',
        body: columns(
          place,
          message.id,
          html`${messageList(listView(place, message.id), html`<h2>Messages</h2>`)}${messageView({
            store,
            message,
            view,
            place,
            content,
            options: htmlOptions(context.req.query()),
            findings: view === 'check' ? findingsOf(store, message) : [],
          })}`,
        ),
      }),
    );
  });

  app.get('/messages/:id/html', async (context) => {
    const emailId = context.req.param('id');
    const content = messageBody(store, emailId, 'html');
    if (content === undefined) return context.notFound();
    const origin = linkOrigin(context);
    const headers = mailHeaders(context.req.query('images') === '1');
    const page = mailDocument(content, { emailId, origin });
    return context.html(await withInlineImages(store, emailId, page), 200, headers);
  });

  // Forms of other sites do not get here, because the server rejects them. Forms in messages cannot be sent.
  app.post('/messages/:id/delete', (context) => {
    const { id } = context.req.param();
    const deleted = store.write(() => {
      const seq = store.value<number>('SELECT seq FROM emails WHERE id = ?', id);
      return seq === undefined ? 0 : deleteEmails(store, [seq]);
    });
    return context.redirect(`/${searchOf(placeOf(context), { deleted: String(deleted) })}`, 303);
  });

  app.post('/delete', async (context) => {
    const form = await context.req.parseBody().catch(() => ({}));
    // `q` is empty for all messages, so without the field it is unclear which are meant.
    if (!('q' in form) || typeof form.q !== 'string') {
      return context.text('The form has no field q. Nothing was deleted.\n', 400);
    }
    const query = searchedFor(form.q);
    const deleted = store.write(() => deleteEmails(store, findMessages(store, { ...all, query })));
    return context.redirect(`/?deleted=${deleted}`, 303);
  });

  app.post('/read', (context) => {
    store.write(() => markAllRead(store));
    return context.redirect(`/${searchOf(placeOf(context))}`, 303);
  });

  app.get('/messages/:id/source.eml', async (context) => {
    const id = context.req.param('id');
    const source = await composeMime(store, id);
    if (source === undefined) return context.notFound();
    return context.body(Uint8Array.from(source), 200, downloadHeaders(`${id}.eml`));
  });

  app.get('/messages/:id/attachments/:position{\\d+}', (context) => {
    const { id, position } = context.req.param();
    const attachment = attachmentOf(store, id, Number(position));
    if (attachment === undefined) return context.notFound();
    return context.body(attachment.content, 200, downloadHeaders(attachment.filename));
  });

  return app;

  /** Where links in mail of this account begin. */
  function linkOrigin({ req }: Context): string {
    return `${new URL(req.url).origin}${pagesOf(account)}`;
  }

  function listView(place: ListPosition, open?: string): ListView {
    const total = countMessages(store);
    const unread = countUnread(store);
    return { place, page: listMessages(store, place), total, unread, open, now: clock() };
  }

  /** Marks a message as read. It is shown even if that cannot be stored now. */
  function read(id: string): void {
    try {
      markRead(store, id);
    } catch (error) {
      if (!(error instanceof StorageFailure)) throw error;
    }
  }

  async function contentOf({ id }: Message, view: MessageTab, origin: string): Promise<string> {
    if (view === 'text') return unsubscribable(messageBody(store, id, 'text') ?? '', id, origin);
    if (view === 'html') return messageBody(store, id, 'html') ?? '';
    if (view !== 'source' && view !== 'code') return '';
    const source =
      view === 'code'
        ? (messageBody(store, id, 'html') ?? '')
        : ((await composeMime(store, id))?.toString('utf8') ?? '');
    return source.length <= sourceShown
      ? source
      : `${source.slice(0, sourceShown)}\n… the rest is in the file`;
  }
}

/** The list, and the pane beside it. */
function columns(place: ListPosition, open: string | undefined, body: Html): Html {
  const live = `/live${searchOf(place, open === undefined ? {} : { open })}`;
  return html`<div class="mail" data-updates="${live}">${body}
<p id="news" class="hidden" role="status"></p></div>`;
}

function placeOf({ req }: Context): ListPosition {
  const number = (name: string) => {
    const value = req.query(name);
    return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  return {
    query: searchedFor(req.query('q')),
    before: number('before'),
    after: number('after'),
  };
}

/** How to send a message here, in full if there are none. `origin` is this server's. */
function firstSteps(origin: string, key: string, inFull: boolean): Html {
  const baseUrl = `${origin}/api`;
  const email = {
    from: 'Shop <shop@example.com>',
    to: 'ana@example.com',
    subject: 'Hello',
    text: 'It works.',
  };
  const curl = [
    `curl ${baseUrl}/v1/emails`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(email, null, 2).replaceAll('\n', '\n  ')}'`,
  ].join(' \\\n  ');
  const access = html`<dl class="facts"><dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>API key</dt><dd><code>${key}</code></dd></dl>`;
  const outcomes = html`<p class="muted small">The recipient's address determines the outcome:
<code>bounced@example.com</code>, <code>complained@example.com</code>, <code>delayed@example.com</code>,
<code>opened@example.com</code>; all others are delivered.</p>`;
  if (!inFull) {
    return html`<div class="panel hint"><h2>Send a message here</h2>${access}
<details><summary>From a shell</summary><pre class="wrap small">${curl}</pre>${outcomes}</details></div>`;
  }
  return html`<div class="empty"><h2>No messages yet</h2>
<p>This is a local sandbox of an email delivery service. Messages that you send to it appear here.
They do not leave this machine, unless you start the sandbox with an SMTP server.</p>
${access}
<p>From a shell:</p>
<pre class="wrap">${curl}</pre>
${outcomes}</div>`;
}
