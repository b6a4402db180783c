import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Store } from '../../store/store.ts';
import { type PageParts, page } from './layout.ts';
import { truncated } from './words.ts';

interface Missing {
  readonly store: Store;
  readonly section: PageParts['section'];
  /** Such as `campaign`. */
  readonly kind: string;
  readonly id: string;
  /** Why it may be missing, as a sentence. */
  readonly hint: string;
}

/** A 404 page that names what is missing, and links to its list. */
export function notFound(
  context: Context,
  { store, section, kind, id, hint }: Missing,
): Response | Promise<Response> {
  return context.html(
    page({
      store,
      title: `No such ${kind}`,
      section,
      body: html`<h1>No such ${kind}</h1>
<p>There is no ${kind} <code><bdi>${truncated(id)}</bdi></code> here. ${hint}</p>
<p><a href="${section}">All ${kind}s</a></p>`,
    }),
    404,
  );
}
