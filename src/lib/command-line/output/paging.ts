import { BadReplyError } from '../../base/errors.ts';
import type { ListPage } from './result.ts';

/**
 * Rows that are remembered while paging, at least. So many may arrive between two pages without
 * harm.
 */
const remembered = 10_000;

/** Most pages in a row without a new row, not counting those that new arrivals explain. */
const mostFruitless = 20;

/** Most pages to go back for rows that may have shifted there. */
const farthestBack = 20;

/**
 * How often one page may lead back. If rows disappear as fast as pages arrive, it would never end.
 */
const mostDetours = 5;

/** Turns of the event loop until a request is sent: a kept connection is looked at for two before. */
const turnsToSend = 3;

/** Progress of the paging, including the current page. */
export interface PagingProgress {
  /** Rows of all pages; a row that came twice counts twice. */
  readonly received: number;
  /** Rows of this page that were on no earlier page. */
  readonly fresh: number;
  /** Rows of the first page. */
  readonly size: number;
}

interface PageRequest<Row> {
  /** The first page to ask for, from 1. */
  readonly first: number;
  /** Fetches one page. */
  readonly fetch: (page: number) => Promise<ListPage<Row>>;
  /** Whether another page follows this one, the `page`-th. */
  readonly more: (result: ListPage<Row>, page: number, progress: PagingProgress) => boolean;
  /** Identifies a row. A row with an empty id equals no other, unless there is `content`. */
  readonly id: (row: Row) => string;
  /**
   * Identifies a row without an id among those of earlier pages. Rows of one page always differ.
   */
  readonly content?: (row: Row) => string;
  /** The number of rows on all pages, if the service tells it. */
  readonly count?: (result: ListPage<Row>) => number | undefined;
  /**
   * Whether every page is read. Then the next one is requested while the rows of this one are worked on.
   */
  readonly everyPage?: boolean;
}

/**
 * Yields all pages as they arrive. A row that shifts to a later page because newer rows have
 * arrived comes only once, unless more than 10,000 arrive between two pages. If the service counts
 * rows and some disappear, pages are read again, because as many rows may have shifted to an
 * earlier page. If it does not count, this goes unnoticed, and those rows are missing.
 *
 * Throws a `BadReplyError` if a service ignores the page number and returns the same rows again and
 * again.
 */
export async function* allPages<Row>(request: PageRequest<Row>): AsyncGenerator<ListPage<Row>> {
  const { first, fetch, everyPage = false } = request;
  const unseen = rowMemory(request);
  const pageAfter = pageOrder(request);
  let requested = fetch(first);
  for (;;) {
    const result = await requested;
    const rows = unseen(result.rows);
    const next = pageAfter(result, rows.length);
    if (everyPage && next !== undefined) {
      requested = fetch(next);
      // Whoever ends early never awaits it.
      requested.catch(() => {});
      // Otherwise it would be sent only after the work on these rows.
      for (let turn = 0; turn < turnsToSend; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    yield { ...result, rows };
    if (next === undefined) return;
    if (!everyPage) requested = fetch(next);
  }
}

/** Returns a function that says which page follows, given each page and how many new rows it has. */
function pageOrder<Row>({ first, more, count = () => undefined }: PageRequest<Row>) {
  const checkFruit = fruitCheck();
  let page = first;
  /** The last page so far. `page` is lower while pages are read again. */
  let furthest = first - 1;
  let received = 0;
  let size = 0;
  let counted: number | undefined;
  /** Number of rows, from the start of the current list, that are known to have been received. */
  let covered = 0;
  let detours = 0;
  return (result: ListPage<Row>, fresh: number): number | undefined => {
    const again = page <= furthest;
    if (!again) {
      furthest = page;
      detours = 0;
      received += result.rows.length;
      size ||= result.rows.length;
    }
    const now = count(result);
    const gone = difference(counted, now);
    // More than that did not shift one by one: the oldest were deleted, or the service counts
    // differently on its last page.
    if (gone <= farthestBack * size) covered = Math.max(covered - gone, 0);
    counted = now;
    const start = (page - first) * size;
    const skipped = covered < Math.min(start, now ?? start);
    if (skipped && detours < mostDetours) {
      detours++;
      page = first + Math.floor(covered / size);
      return page;
    }
    covered = start + size;
    if (page === furthest && !more(result, page, { received, fresh, size })) return undefined;
    if (!again) checkFruit({ page, size, fresh, count: now });
    page++;
    return page;
  };
}

/** Returns a function that throws a `BadReplyError` after too many pages in a row without a new row. */
function fruitCheck() {
  let fruitless = 0;
  let countBefore: number | undefined;
  return (one: { page: number; size: number; fresh: number; count: number | undefined }): void => {
    if (one.fresh > 0) {
      fruitless = 0;
      countBefore = one.count;
      return;
    }
    fruitless++;
    const arrived = difference(one.count, countBefore);
    if (fruitless <= mostFruitless + arrived / one.size) return;
    throw new BadReplyError(
      `Page ${one.page} has nothing new, like the ${fruitless - 1} before it.`,
    );
  };
}

/**
 * Whether another page follows, by the count of all rows in the reply. Some services count only the
 * rows of the page: then a `full` page is followed by another, unless it had nothing new.
 */
export function moreByCount(
  count: number,
  { rows, full }: { readonly rows: number; readonly full: number },
  { received, fresh }: Pick<PagingProgress, 'received' | 'fresh'>,
): boolean {
  if (rows === 0) return false;
  if (count === rows) return rows >= full && fresh > 0;
  // A page without new rows never completes the list: a service that ignores `page` would seem
  // complete.
  return received < count || fresh === 0;
}

/** A list of one page. */
export async function* onePage<Row>(
  fetch: (page: number) => Promise<ListPage<Row>>,
  page: number,
): AsyncGenerator<ListPage<Row>> {
  yield await fetch(page);
}

/** How much larger `a` is than `b`; 0 if it is not larger, or one is unknown. */
function difference(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : Math.max(a - b, 0);
}

/** Returns a function that picks a page's new rows and remembers them. */
function rowMemory<Row>({ id, content }: Pick<PageRequest<Row>, 'id' | 'content'>) {
  const ids = recent();
  const contents = recent();
  return (rows: readonly Row[]): readonly Row[] => {
    const onThisPage: string[] = [];
    const isNew = (row: Row): boolean => {
      const known = id(row);
      if (known !== '') return ids.add(known);
      if (content === undefined) return true;
      const text = content(row);
      onThisPage.push(text);
      return !contents.has(text);
    };
    const shown = rows.filter(isNew);
    for (const text of onThisPage) contents.add(text);
    return shown;
  };
}

/** The most recent texts. `add` returns whether a text is new. */
function recent(): { has(text: string): boolean; add(text: string): boolean } {
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    has: (text) => young.has(text) || old.has(text),
    add(text) {
      if (old.has(text)) return false;
      const { size } = young;
      if (young.add(text).size === size) return false;
      if (size >= remembered) {
        old = young;
        young = new Set();
      }
      return true;
    },
  };
}
