import type { Page } from './output/result.ts';

/** Ids that are remembered while paging: new arrivals shift rows by far less than this. */
const remembered = 10_000;

export interface PageRequest<Row> {
  /** The first page to ask for, from 1. */
  readonly first: number;
  /** Fetches one page. */
  readonly fetch: (page: number) => Promise<Page<Row>>;
  /** Whether there is a page after this one, which was the `page`-th. */
  readonly more: (result: Page<Row>, page: number) => boolean;
  readonly id: (row: Row) => string;
}

/**
 * All pages, one after the other, as they arrive. Rows that shift to a later page because newer
 * ones arrived meanwhile are shown once.
 */
export async function* allPages<Row>(request: PageRequest<Row>): AsyncGenerator<Page<Row>> {
  const seen = new Set<string>();
  for (let page = request.first; ; page++) {
    const result = await request.fetch(page);
    const rows = result.rows.filter((row) => !seen.has(request.id(row)));
    for (const row of rows) remember(seen, request.id(row));
    yield { reply: result.reply, rows };
    if (!request.more(result, page)) return;
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
