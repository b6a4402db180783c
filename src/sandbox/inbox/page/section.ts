import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { requestsKept } from '../../http/request-log.ts';
import type { Store } from '../../store/store.ts';
import { type PageParts, page } from './layout.ts';
import { truncated } from './words.ts';

/** What each list is of, and why one of these may be missing. */
const kinds = {
  '/campaigns': ['campaign', 'It may have been deleted. Its messages are kept.'],
  '/contacts': ['contact book', 'It may have been deleted, along with its contacts.'],
  '/domains': ['domain', 'It may have been deleted.'],
  '/requests': ['request', `The last ${requestsKept} are kept; older ones are deleted.`],
  '/calls': ['call', 'Calls are deleted with their handler.'],
} as const;

/** What a page is made of. */
export interface Asked {
  readonly store: Store;
  readonly query: Readonly<Record<string, string>>;
  readonly now: number;
  /** Of this server. */
  readonly origin: string;
}

export type SectionPage = Pick<PageParts, 'title' | 'body'>;

/** The list of a section, and a page for each of what it lists. */
export function sectionPages<Row>(
  { store, clock }: AccountService,
  section: keyof typeof kinds,
  pages: {
    readonly list: (asked: Asked) => SectionPage;
    readonly find: (store: Store, id: string) => Row | undefined;
    readonly show: (row: Row, asked: Asked) => SectionPage;
  },
): Hono {
  const asked = ({ req }: Context): Asked => {
    return { store, query: req.query(), now: clock(), origin: new URL(req.url).origin };
  };
  const app = new Hono();
  app.get('/', (context) => context.html(page({ store, section, ...pages.list(asked(context)) })));
  app.get('/:id', (context) => {
    const { id } = context.req.param();
    const row = pages.find(store, id);
    const shown = row === undefined ? missing(section, id) : pages.show(row, asked(context));
    return context.html(page({ store, section, ...shown }), row === undefined ? 404 : 200);
  });
  return app;
}

/** Names what is missing, and links to its list. */
function missing(section: keyof typeof kinds, id: string): SectionPage {
  const [kind, hint] = kinds[section];
  return {
    title: `No such ${kind}`,
    body: html`<h1>No such ${kind}</h1>
<p>There is no ${kind} <code><bdi>${truncated(id)}</bdi></code> here. ${hint}</p>
<p><a href="${section}">All ${kind}s</a></p>`,
  };
}
