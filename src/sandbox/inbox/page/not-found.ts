import type { Context } from 'hono';
import { html } from 'hono/html';
import { requestsKept } from '../../http/request-log.ts';
import type { Store } from '../../store/store.ts';
import { page } from './layout.ts';
import { truncated } from './words.ts';

/** What each list is of, and why one of these may be missing. */
const kinds = {
  '/campaigns': ['campaign', 'It may have been deleted. Its messages are kept.'],
  '/contacts': ['contact book', 'It may have been deleted, along with its contacts.'],
  '/domains': ['domain', 'It may have been deleted.'],
  '/requests': ['request', `The last ${requestsKept} are kept; older ones are deleted.`],
  '/calls': ['call', 'Calls are deleted with their handler.'],
} as const;

/** A 404 page that names what is missing, and links to its list. */
export function notFound(
  context: Context,
  store: Store,
  section: keyof typeof kinds,
  id: string,
): Response | Promise<Response> {
  const [kind, hint] = kinds[section];
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
