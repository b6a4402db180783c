import { listItem } from './emails.ts';
import type { Recorded } from './recorder.ts';

/** Emails from number `from` down to `to`, as in a list with the newest first. */
export function items(from: number, to: number, fields: Readonly<Record<string, unknown>> = {}) {
  return Array.from({ length: from - to + 1 }, (_, index) =>
    listItem(`em_${from - index}`, fields),
  );
}

/** A numeric query parameter of a request. */
export function asked({ path }: Recorded, name: 'page' | 'limit'): number {
  return Number(new URL(path, 'http://service').searchParams.get(name));
}

/** The page that a request asks for, as the body of the response. */
export function pageOf<Row>(rows: readonly Row[], request: Recorded) {
  const [page, limit] = [asked(request, 'page'), asked(request, 'limit')];
  return { data: rows.slice((page - 1) * limit, page * limit), count: rows.length };
}
