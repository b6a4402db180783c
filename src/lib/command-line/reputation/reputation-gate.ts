import type { ReputationEvent } from '../../../api/reputation.ts';
import { reputationStates } from '../../../api/reputation-states.ts';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';

/** The states of `--fail-on`, in upper case. Throws a `UsageError` if there is none, or a flag instead. */
export function parseStates(values: readonly string[]): string[] {
  const words = values.flatMap((value) => value.split(',')).map(normalized);
  if (words.some((word) => word === '' || word.startsWith('-'))) {
    throw new UsageError('--fail-on: a state is missing', { hint: known(reputationStates) });
  }
  return words;
}

/** Throws a `UsageError` for a state neither known nor in `own`: a typo would never close the gate. `why` follows it. */
export function refuseUnknown(
  states: readonly string[],
  own: readonly string[],
  why: string,
): void {
  const all = [...new Set([...reputationStates, ...own.map(normalized)])];
  const unknown = states.find((state) => !all.includes(state));
  if (unknown === undefined) return;
  throw new UsageError(`--fail-on: ${JSON.stringify(unknown)} ${why}`, { hint: known(all) });
}

/** The newest event, if its state is one of these. */
export function closing(
  events: readonly ReputationEvent[],
  states: readonly string[],
): ReputationEvent | undefined {
  return maybeNewest(events).find(({ toState }) => states.includes(normalized(toState)));
}

/** The newest event, if this program does not know its state. */
export function unknownNewest(events: readonly ReputationEvent[]): ReputationEvent | undefined {
  const known: readonly string[] = reputationStates;
  return maybeNewest(events).find(({ toState }) => !known.includes(normalized(toState)));
}

/** Why the gate is closed, in one line. */
export function stateReason(event: ReputationEvent): string {
  const { toState, createdAt, bounceRate, sampleSize, reason } = event;
  const facts = [
    ...(typeof bounceRate === 'number' ? [`bounce rate ${bounceRate}%`] : []),
    ...(typeof sampleSize === 'number' ? [`sample size ${sampleSize}`] : []),
    ...(reason ? [`reason: ${reason}`] : []),
  ];
  const details = facts.length === 0 ? '.' : `: ${facts.join(', ')}`;
  return visible(`The newest state is ${toState}, since ${createdAt}${details}`);
}

/**
 * The newest event; of simultaneous ones, the first in the reply. Preceded by the reply's first event if its
 * time is invalid: either may be the newest, and if in doubt the gate is closed.
 */
function maybeNewest(events: readonly ReputationEvent[]): ReputationEvent[] {
  const undated = events.slice(0, 1).filter((event) => Number.isNaN(timeOf(event)));
  const dated = events.filter((event) => !Number.isNaN(timeOf(event)));
  return [...undated, ...dated.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, 1)];
}

/** When the state changed, in milliseconds since 1970; NaN if the time is invalid. */
export function timeOf({ createdAt }: ReputationEvent): number {
  return Date.parse(createdAt);
}

function normalized(state: string): string {
  return state.trim().toUpperCase();
}

function known(states: readonly string[]): string {
  return `States: ${states.map(visible).join(', ')}`;
}
