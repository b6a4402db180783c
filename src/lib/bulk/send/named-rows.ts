import type { Problem } from '../../errors.ts';
import { describeIssue } from '../../http/reply.ts';
import { withMore } from '../../text/quoted-names.ts';
import type { Part } from '../journal/run-parts.ts';
import { positionsOf } from './part-emails.ts';

/** Rows named in one message, at most. */
const mostRows = 10;

/**
 * Which emails of a part the service names, by their positions in the chunk, and why: an issue's path starts
 * with the index in the request.
 */
export function namedProblems({ issues = [] }: Problem, part: Part): Map<number, string> {
  const positions = positionsOf(part);
  const named = new Map<number, string>();
  for (const { path, message } of issues) {
    const [index, ...rest] = path;
    const position = typeof index === 'number' ? positions[index] : undefined;
    if (position === undefined) continue;
    const said = describeIssue({ path: rest, message });
    named.set(position, [named.get(position), said].filter(Boolean).join('; '));
  }
  return named;
}

/**
 * Describes a rejection that ends a run by rows and recipients, because nobody sees indexes in a request.
 * Returns any other problem unchanged.
 */
export function inRows(problem: Problem, part: Part): Problem {
  if (problem.code !== 'rejected') return problem;
  const named = namedProblems(problem, part);
  const [only = 0, ...others] = positionsOf(part);
  if (named.size === 0 && others.length === 0) named.set(only, problem.message);
  const rows = part.chunk.rows();
  const lines = [...named].slice(0, mostRows).map(([position, said]) => {
    const [row, address] = rows[position] ?? [];
    return `row ${row} (${address}): ${said}`;
  });
  if (lines.length === 0) return problem;
  const message =
    lines.length === 1
      ? lines.join()
      : ['The service rejected:', ...withMore(lines, named.size)].join('\n  ');
  return { ...problem, message, issues: undefined };
}
