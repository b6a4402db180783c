import { RejectedError } from '../../errors.ts';
import { describeIssue } from '../../http/reply.ts';
import { withMore } from '../../text/quoted-names.ts';
import type { Part } from '../journal/journal.ts';

/** Rows named in one message, at most. */
const mostRows = 10;

/** The positions of a part's emails in their chunk. */
export function positionsOf({
  positions,
  chunk,
}: Pick<Part, 'positions' | 'chunk'>): readonly number[] {
  return positions ?? chunk.rows.map((_, index) => index);
}

/**
 * Which emails of a part the service names, by their places in the chunk, and why: an issue's path
 * starts with the place in the request.
 */
export function namedProblems({ details }: RejectedError, part: Part): Map<number, string> {
  const positions = positionsOf(part);
  const named = new Map<number, string>();
  for (const { path, message } of details.issues ?? []) {
    const [index, ...rest] = path;
    const position = typeof index === 'number' ? positions[index] : undefined;
    if (position === undefined) continue;
    const said = describeIssue({ path: rest, message });
    named.set(position, [named.get(position), said].filter(Boolean).join('; '));
  }
  return named;
}

/**
 * Rewrites a rejection that ends a run to name rows and recipients, because nobody sees positions in a
 * request. Any other error is returned unchanged.
 */
export function namingRows<Thrown>(thrown: Thrown, part: Part): Thrown {
  if (!(thrown instanceof RejectedError)) return thrown;
  const named = namedProblems(thrown, part);
  const [only = 0, ...others] = positionsOf(part);
  if (named.size === 0 && others.length === 0) named.set(only, thrown.message);
  const lines = [...named].slice(0, mostRows).map(([position, problem]) => {
    const [row, address] = part.chunk.rows[position] ?? [];
    return `row ${row} (${address}): ${problem}`;
  });
  if (lines.length === 0) return thrown;
  thrown.message =
    lines.length === 1
      ? lines.join()
      : ['The service rejected:', ...withMore(lines, named.size)].join('\n  ');
  thrown.details = { ...thrown.details, issues: undefined };
  return thrown;
}
