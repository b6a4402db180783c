import type { Problem } from '../../base/errors.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { describeIssue } from '../../service/http/reply.ts';

/** Rows named in one message, at most. */
const mostRows = 10;

/** Rows rejected in a row, with none accepted in between, after which it is not about single ones. */
const enoughOneByOne = 10;
const enoughAtOnce = 100;

/** Which items of a request the service names, and why: an issue's path starts with the index in the request. */
export function namedProblems<Item>(
  { issues = [] }: Problem,
  items: readonly Item[],
): Map<Item, string> {
  const named = new Map<Item, string>();
  for (const { path, message } of issues) {
    const [index, ...rest] = path;
    const item = typeof index === 'number' ? items[index] : undefined;
    if (item === undefined) continue;
    const said = describeIssue({ path: rest, message });
    named.set(item, [named.get(item), said].filter(Boolean).join('; '));
  }
  return named;
}

/**
 * Describes a rejection by the rows of its request, and their addresses, because nobody sees indexes in a request.
 * Returns any other problem unchanged.
 */
export function inRows(
  problem: Problem,
  rows: readonly (readonly [row: number, address: string, ...rest: unknown[]])[],
): Problem {
  if (problem.code !== 'rejected') return problem;
  const named = namedProblems(problem, rows);
  const [only] = rows;
  if (named.size === 0 && only !== undefined && rows.length === 1) named.set(only, problem.message);
  const lines = [...named].map(([[row, address], said]) => `row ${row} (${address}): ${said}`);
  if (lines.length === 0) return problem;
  const message =
    lines.length === 1
      ? lines.join()
      : [
          'The service rejected:',
          ...withOverflowCount(lines.slice(0, mostRows), lines.length),
        ].join('\n  ');
  return { ...problem, message, issues: undefined };
}

/** Counts what is rejected with nothing accepted in between, to notice when its content is not the cause. */
export function createStreak() {
  let oneByOne = 0;
  let atOnce = 0;
  return {
    /** Adds a rejected request: one that names some is about these; one that names none is narrowed down first. */
    add(size: number, named: number): void {
      if (size === 1) oneByOne++;
      else if (named === size) atOnce += size;
    },
    end(): void {
      oneByOne = 0;
      atOnce = 0;
    },
    isLong: (): boolean => oneByOne >= enoughOneByOne || atOnce >= enoughAtOnce,
    /** The same for the end of a run, where less says enough. */
    isLongAtEnd: (): boolean => oneByOne + atOnce >= enoughOneByOne,
  };
}
