import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/text/nearest.ts';
import { percentage } from '../../base/text/percent.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import { type Measure, measures } from './flags.ts';
import type { DomainTotal, MessageCounts } from './report-shapes.ts';

/** What a gate can count, each with the end of a sentence about it. */
const counters: Readonly<
  Record<Measure, readonly [count: (counts: MessageCounts) => number, what: string]>
> = {
  unaligned: [({ messages, aligned }) => messages - aligned, 'not aligned'],
  'dkim-unaligned': [({ messages, dkimAligned }) => messages - dkimAligned, 'not aligned by DKIM'],
  'spf-unaligned': [({ messages, spfAligned }) => messages - spfAligned, 'not aligned by SPF'],
  quarantined: [({ quarantined }) => quarantined, 'quarantined'],
  rejected: [({ rejected }) => rejected, 'rejected'],
};

/** A condition under which the command fails: `unaligned>1%`, or `rejected>100` for a number of messages. */
export type Gate = ReturnType<typeof parseGate>;

/** Reads `--fail-on`. Throws a `UsageError` that tells what it can be. */
export function parseGate(text: string) {
  const [, name = '', number, percent] =
    /^\s*([a-z-]+)\s*(?:>\s*(\d{1,12}(?:\.\d{1,6})?)\s*(%)?)?\s*$/i.exec(text) ?? [];
  const measure = measures.find((one) => one === name.toLowerCase());
  const known = `It is one of ${measures.join(', ')}, then > and a number of messages or a percentage: 'unaligned>1%'`;
  if (measure === undefined) {
    const near = name.length > 2 ? nearest(name, measures) : undefined;
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new UsageError(`--fail-on: ${JSON.stringify(text)} is not a condition`, {
      hint: `${known}.${meant}`,
    });
  }
  if (number === undefined) {
    throw new UsageError(`--fail-on: ${JSON.stringify(text)} has no limit`, {
      hint: `${known}. Write it in quotes, because shells redirect output at >.`,
    });
  }
  const most = Number(number);
  if (percent !== undefined && most >= 100) {
    throw new UsageError(`--fail-on: no share can be above ${number}%`, { hint: `${known}.` });
  }
  const [count, what] = counters[measure];
  return { text, count, what, most, isPercent: percent !== undefined };
}

/** Why a condition is met, for the first domain that meets it; undefined if none does. */
export function whyFailed(gate: Gate, totals: readonly DomainTotal[]): string | undefined {
  const { count, what, most, isPercent } = gate;
  const total = totals.find((one) => {
    const value = isPercent ? (count(one) / one.messages) * 100 : count(one);
    return one.messages > 0 && value > most;
  });
  if (total === undefined) return undefined;
  const are = count(total) === 1 ? 'is' : 'are';
  const share = percentage((count(total) / total.messages) * 100);
  const found = `${quantity(count(total), 'message')} of ${grouped(total.messages)} (${share})`;
  const limit = isPercent ? `${most}%` : quantity(most, 'message');
  return `${visible(total.domain)}: ${found} ${are} ${what}, more than ${limit}.`;
}
