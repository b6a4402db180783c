import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Store } from '../store.ts';
import records from './assets/records.css' with { type: 'text' };
import style from './assets/style.css' with { type: 'text' };
import { page } from './layout.ts';

export interface InboxOptions {
  readonly store: Store;
  /** The sandbox's clock: milliseconds since 1970. */
  readonly clock: () => number;
}

/** The pages for people, at the root of the service. */
export function createInbox(_options: InboxOptions): Hono {
  const app = new Hono();
  for (const [name, text] of Object.entries({ style, records })) {
    app.get(`/assets/${name}.css`, (context) =>
      context.body(text, 200, { 'Content-Type': 'text/css; charset=utf-8' }),
    );
  }
  app.get('/', (context) =>
    context.html(
      page({
        title: 'Messages',
        section: '/',
        body: html`<p>This is the local sandbox of an email delivery service.</p>`,
      }),
    ),
  );
  return app;
}
