import { html } from 'hono/html';
import { grouped } from '../../../shared/grouped.ts';
import type { Store, Value } from '../../store/store.ts';
import type { Html } from './html.ts';

/** The number of rows on a page of a list. */
export const rowsPerPage = 50;

/** One page of a list. */
interface Paging {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Rows on all pages. */
  readonly total: number;
  /** Rows before this page. */
  readonly offset: number;
}

/** The page of `total` rows that the query parameter `page` asks for, or the nearest one. */
export function pagingOf(page: string | undefined, total: number): Paging {
  const pages = Math.max(1, Math.ceil(total / rowsPerPage));
  const asked = /^[1-9]\d{0,8}$/.test(page ?? '') ? Number(page) : 1;
  const shown = Math.min(asked, pages);
  return { page: shown, pages, total, offset: (shown - 1) * rowsPerPage };
}

/** The page that the query parameter `page` asks for, of the rows of `sql` sorted by `order`. */
export function readPage<Row extends object>(
  store: Store,
  page: string | undefined,
  { sql, order, values = [] }: { sql: string; order: string; values?: readonly Value[] },
): { readonly rows: Row[]; readonly paging: Paging } {
  const total = store.value<number>(`SELECT count(*) FROM (${sql})`, ...values) ?? 0;
  const paging = pagingOf(page, total);
  const part = `${sql} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return { rows: store.all<Row>(part, ...values, rowsPerPage, paging.offset), paging };
}

/** Says which rows are shown, and links to the other pages, which keep `query`. */
export function pager(paging: Paging, query: Readonly<Record<string, string>> = {}): Html | '' {
  const { page, pages, total, offset } = paging;
  if (pages === 1) return '';
  const last = Math.min(offset + rowsPerPage, total);
  return html`<nav class="pager" aria-label="Pages of the list">
<span class="muted">${count(offset + 1)}–${count(last)} of ${count(total)}</span>
<span class="steps">${step(page - 1, 'prev', 'Previous')}${step(page + 1, 'next', 'Next')}</span>
</nav>`;

  function step(to: number, rel: string, name: string): Html {
    if (to < 1 || to > pages) return html`<span class="button" aria-disabled="true">${name}</span>`;
    return html`<a class="button" rel="${rel}" href="${queryUrl({ ...query, page: String(to) })}">${name}</a>`;
  }
}

/** The URL of the same list with this query, without empty values. */
export function queryUrl(query: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))}`;
}

/** A number with separators: `50,000`. */
export const count = grouped;
