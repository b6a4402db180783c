import { grouped, quantity } from '../../base/text/quantity.ts';
import { withMore } from '../../base/text/quoted-names.ts';
import { failureGroups } from '../bulk/show/row-deliveries.ts';
import type { RowState } from './row-states.ts';

/** Addresses that a group names. */
const mostNamed = 3;

/** What the states of rows that are left alone are called. */
const inWords: Readonly<Record<string, string>> = {
  bounced: 'bounced permanently',
  opted_out: 'opted out',
};

/** Which rows are sent again and why, and how far the others are, in lines. */
export function retriedInWords(rows: readonly RowState[], all: readonly RowState[]): string[] {
  const groups = failureGroups(rows).map(({ status, reason, rows: count, to }) => {
    const why = [status, reason].filter(Boolean).join(': ');
    return `  ${grouped(count)} ${why} (${withMore(to.slice(0, mostNamed), count).join(', ')})`;
  });
  const sent = new Set(rows);
  const left = countsOf(all.filter((one) => !sent.has(one)).map(({ state }) => state));
  return [
    `${grouped(rows.length)} of ${quantity(all.length, 'row')} will be sent again:`,
    ...groups,
    ...(left.length > 0 ? [`The others are left alone: ${left.join(', ')}.`] : []),
  ];
}

function countsOf(states: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of states) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([state, count]) => `${grouped(count)} ${inWords[state] ?? state}`);
}
