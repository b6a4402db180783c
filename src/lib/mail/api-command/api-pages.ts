import { BadReplyError, MailerError, UsageError } from '../../base/errors.ts';
import { isObject } from '../../command-line/output/fields.ts';
import { allPages, moreByCount } from '../../command-line/output/paging.ts';
import type { ListPage } from '../../command-line/output/result.ts';
import { contentOf, type FoundRows, findRows, ownIdOf, type Row } from './response-rows.ts';

/** The page number that a path requests: its `page`, or 1. */
export function pageOf(path: string): number {
  const page = new URLSearchParams(splitPath(path).query).get('page') ?? '1';
  if (/^[1-9]\d{0,8}$/.test(page)) return Number(page);
  throw new UsageError(`--paginate: page=${page} is not the number of a page`);
}

/** `path` with this page in its query, which is otherwise unchanged. */
export function withPage(path: string, page: number): string {
  const { pathname, query } = splitPath(path);
  const others = query
    .split('&')
    .filter((part) => part !== '' && !new URLSearchParams(part).has('page'));
  return `${pathname}?${[...others, `page=${page}`].join('&')}`;
}

function splitPath(path: string): { readonly pathname: string; readonly query: string } {
  const at = path.indexOf('?');
  if (at === -1) return { pathname: path, query: '' };
  return { pathname: path.slice(0, at), query: path.slice(at + 1) };
}

/** The first page of a list, which shows that it is one. */
interface FirstPage {
  readonly number: number;
  readonly reply: unknown;
  readonly found: FoundRows;
}

/**
 * All pages of a list, up to the last by `totalPage` or `count`. Without these, up to a page without rows,
 * with the same rows as the page before in any order (some services do not page), or rejected with 400
 * (some lists accept no `page`): `refused` gets its number. If there must be more, throws that 400. If it
 * starts at a later page, `count` only gives a bound: earlier pages have at least as many rows as the first.
 */
export function pagesFrom(
  { number: first, reply: firstReply, found }: FirstPage,
  fetch: (page: number) => Promise<unknown>,
  refused: (page: number) => void,
): AsyncGenerator<ListPage<Row>> {
  let before = '';
  let last = endOf(firstReply);
  let shown = 0;
  const hasMore = (page: number) => (last.pages ?? 0) >= page || (last.rows ?? 0) > shown;
  const isSure = (end: End) => end.pages !== undefined || (end.rows !== undefined && first === 1);
  return allPages<Row>({
    first,
    async fetch(page) {
      let reply = firstReply;
      try {
        if (page !== first) reply = await fetch(page);
      } catch (error) {
        if (!isBadRequest(error) || hasMore(page)) throw error;
        refused(page);
        return { rows: [], rest: reply };
      }
      const rows = rowsLike(found, reply, page);
      last = endOf(reply);
      shown += rows.length;
      const identities = JSON.stringify(rows.map((row) => ownIdOf(row) || contentOf(row)).sort());
      const repeated = identities === before && !isSure(last);
      before = identities;
      return { rows: repeated ? [] : rows, rest: reply };
    },
    more({ rest, rows: { length: rows } }, page, { received, fresh, size }) {
      const end = endOf(rest);
      if (rows === 0) return false;
      if (end.pages !== undefined) return page < end.pages;
      if (end.rows === undefined) return true;
      const skipped = (first - 1) * size;
      return moreByCount(end.rows, { rows, full: size }, { received: skipped + received, fresh });
    },
    id: ownIdOf,
    content: contentOf,
  });
}

function isBadRequest(error: unknown): boolean {
  return error instanceof MailerError && error.details.status === 400;
}

function rowsLike({ rowsIn }: FoundRows, reply: unknown, page: number): readonly Row[] {
  const found = findRows(reply);
  if (found !== undefined && found.rowsIn === rowsIn) return found.rows;
  throw new BadReplyError(`Page ${page} is not a list like the page before it.`);
}

/** The total number of pages or rows, if a reply has it. */
interface End {
  readonly pages?: number;
  readonly rows?: number;
}

function endOf(reply: unknown): End {
  if (!isObject(reply)) return {};
  if (typeof reply.totalPage === 'number') return { pages: reply.totalPage };
  return typeof reply.count === 'number' ? { rows: reply.count } : {};
}
