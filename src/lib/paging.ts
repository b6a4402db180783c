import { BadReplyError } from './errors.ts';
import type { Page } from './output/result.ts';

/** Ids that are remembered while paging: new arrivals shift rows by far less than this. */
const remembered = 10_000;

/** Pages in a row without a new row: more than that many arrivals do not shift so far. */
const mostFruitless = 20;

/** How far the pages have come, the one at hand included. */
export interface Progress {
  /** Rows of all pages, those that came twice counted twice. */
  readonly received: number;
  /** Rows of this page that none before it had. */
  readonly fresh: number;
}

export interface PageRequest<Row> {
  /** The first page to ask for, from 1. */
  readonly first: number;
  /** Fetches one page. */
  readonly fetch: (page: number) => Promise<Page<Row>>;
  /** Whether there is a page after this one, which was the `page`-th. */
  readonly more: (result: Page<Row>, page: number, progress: Progress) => boolean;
  readonly id: (row: Row) => string;
}

/**
 * All pages, one after the other, as they arrive. Rows that shift to a later page because newer
 * ones arrived meanwhile are shown once. Throws a `BadReplyError` when a service that does not page
 * gives the same rows again and again.
 */
export async function* allPages<Row>(request: PageRequest<Row>): AsyncGenerator<Page<Row>> {
  const seen = new Set<string>();
  let fruitless = 0;
  let received = 0;
  for (let page = request.first; ; page++) {
    const result = await request.fetch(page);
    const rows = result.rows.filter((row) => !seen.has(request.id(row)));
    for (const row of rows) remember(seen, request.id(row));
    yield { reply: result.reply, rows };
    received += result.rows.length;
    if (!request.more(result, page, { received, fresh: rows.length })) return;
    fruitless = rows.length === 0 ? fruitless + 1 : 0;
    if (fruitless > mostFruitless) {
      throw new BadReplyError(
        `Page ${page} holds nothing new, like the ${mostFruitless} before it.`,
      );
    }
  }
}

/** One page, as it is. */
export async function* onePage<Row>(
  fetch: (page: number) => Promise<Page<Row>>,
  page: number,
): AsyncGenerator<Page<Row>> {
  yield await fetch(page);
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > remembered && oldest !== undefined) seen.delete(oldest);
}
