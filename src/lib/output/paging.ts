import { BadReplyError } from '../errors.ts';
import type { ListPage } from './result.ts';

/** Rows that are remembered while paging, at least: so many arrivals between two pages do no harm. */
const remembered = 10_000;

/** Pages in a row without a new row, beyond those that new arrivals account for. */
const mostFruitless = 20;

/** Pages to go back, at most, for rows that may have shifted there. */
const farthestBack = 20;

/** How often one page leads back: where rows go as fast as pages come, there would be no end. */
const mostDetours = 5;

/** How far the pages have come, the one at hand included. */
export interface PagingProgress {
  /** Rows of all pages, those that came twice counted twice. */
  readonly received: number;
  /** Rows of this page that none before it had. */
  readonly fresh: number;
  /** Rows of the first page. */
  readonly size: number;
}

interface PageRequest<Row> {
  /** The first page to ask for, from 1. */
  readonly first: number;
  /** Fetches one page. */
  readonly fetch: (page: number) => Promise<ListPage<Row>>;
  /** Whether there is a page after this one, which was the `page`-th. */
  readonly more: (result: ListPage<Row>, page: number, progress: PagingProgress) => boolean;
  /** What tells a row from others; a row whose id is empty is like no other, or see `content`. */
  readonly id: (row: Row) => string;
  /** What tells a row without an id from those of earlier pages; on one page it does not matter. */
  readonly content?: (row: Row) => string;
  /** How many rows there are on all pages, where the service says it. */
  readonly count?: (result: ListPage<Row>) => number | undefined;
}

/**
 * All pages, one after the other, as they arrive. Rows that shift to a later page because newer
 * ones arrived meanwhile come once, unless more than 10,000 arrived between two pages. Where the
 * service counts rows, pages are read again when some are gone, because as many may have shifted
 * to an earlier page; where it does not, nobody can notice, and those are missing.
 *
 * Throws a `BadReplyError` when a service that does not page gives the same rows again and again.
 */
export async function* allPages<Row>(request: PageRequest<Row>): AsyncGenerator<ListPage<Row>> {
  const { first, fetch, more, count = () => undefined } = request;
  const unseen = rowMemory(request);
  const fruit = fruitCheck();
  let page = first;
  /** The last page so far; it is less than that while pages are read again. */
  let furthest = first - 1;
  let received = 0;
  let size = 0;
  let counted: number | undefined;
  /** So many rows from the beginning of the list, as it is now, have been shown, or are new. */
  let covered = 0;
  let detours = 0;
  for (;;) {
    const result = await fetch(page);
    const shown = unseen(result.rows);
    yield { reply: result.reply, rows: shown };
    const again = page <= furthest;
    if (!again) {
      furthest = page;
      detours = 0;
      received += result.rows.length;
      size ||= result.rows.length;
    }
    const now = count(result);
    const gone = difference(counted, now);
    // More than that did not shift one by one: the oldest were cleared away, or the service counts
    // otherwise on its last page.
    if (gone <= farthestBack * size) covered = Math.max(covered - gone, 0);
    counted = now;
    const start = (page - first) * size;
    const skipped = covered < Math.min(start, now ?? start);
    if (skipped && detours < mostDetours) {
      detours++;
      page = first + Math.floor(covered / size);
      continue;
    }
    covered = start + size;
    const fresh = shown.length;
    if (page === furthest && !more(result, page, { received, fresh, size })) return;
    if (!again) fruit.check({ page, size, fresh, count: now });
    page++;
  }
}

/** Throws a `BadReplyError` after too many pages in a row that hold nothing new. */
function fruitCheck() {
  let fruitless = 0;
  let countBefore: number | undefined;
  return {
    check(one: { page: number; size: number; fresh: number; count: number | undefined }): void {
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
    },
  };
}

/**
 * Whether there is a page after one with so many rows, by the count of all rows that came with it.
 * A count of just the rows of this page may be no more than that: then a page that is `full` is
 * followed by another, unless it held nothing new.
 */
export function moreByCount(
  count: number,
  { rows, full }: { readonly rows: number; readonly full: number },
  { received, fresh }: Pick<PagingProgress, 'received' | 'fresh'>,
): boolean {
  if (rows === 0) return false;
  if (count === rows) return rows >= full && fresh > 0;
  // Nothing new does not count as received: a service that ignores `page` would seem complete.
  return received < count || fresh === 0;
}

/** One page, as it is. */
export async function* onePage<Row>(
  fetch: (page: number) => Promise<ListPage<Row>>,
  page: number,
): AsyncGenerator<ListPage<Row>> {
  yield await fetch(page);
}

/** By how much `a` is larger than `b`; 0 when it is not, or one of them is not known. */
function difference(a: number | undefined, b: number | undefined): number {
  return a === undefined || b === undefined ? 0 : Math.max(a - b, 0);
}

/** A function that returns those of a page's rows that are new, and remembers them. */
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

/** The latest texts; `add` says whether a text is none of them. */
function recent(): { has(text: string): boolean; add(text: string): boolean } {
  let young = new Set<string>();
  let old = new Set<string>();
  const has = (text: string) => young.has(text) || old.has(text);
  return {
    has,
    add(text) {
      if (has(text)) return false;
      if (young.size >= remembered) {
        old = young;
        young = new Set();
      }
      young.add(text);
      return true;
    },
  };
}
