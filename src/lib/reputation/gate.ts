import type { ReputationEvent } from '../../api/reputation.ts';
import { reputationStates } from '../../api/reputation-states.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';

/** The states of `--fail-on`, in upper case. A `UsageError` if one is missing, or a flag follows. */
export function parseStates(values: readonly string[]): string[] {
  const words = values.flatMap((value) => value.split(',')).map(normalized);
  if (words.some((word) => word === '' || word.startsWith('-'))) {
    throw new UsageError('--fail-on: a state is missing', { hint: known(reputationStates) });
  }
  return words;
}

/** Throws a `UsageError` for a state neither known nor in these events: a typo would never fail a run. */
export function refuseUnknown(states: readonly string[], events: readonly ReputationEvent[]): void {
  const inEvents = events.flatMap(({ fromState, toState }) => [fromState, toState]);
  const all = [...new Set([...reputationStates, ...inEvents.map(normalized)])];
  const unknown = states.find((state) => !all.includes(state));
  if (unknown === undefined) return;
  throw new UsageError(
    `--fail-on: ${JSON.stringify(unknown)} is neither a known state nor one this account has been in`,
    { hint: known(all) },
  );
}

/** The newest of the events, when its state is one of these. */
export function closing(
  events: readonly ReputationEvent[],
  states: readonly string[],
): ReputationEvent | undefined {
  return maybeNewest(events).find(({ toState }) => states.includes(normalized(toState)));
}

/** The newest of the events, when its state is one that this program does not know. */
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
 * The newest event, the first of equal ones in the reply; before it the first of all when its time
 * cannot be read: either may be the newest, and in doubt the gate is closed.
 */
function maybeNewest(events: readonly ReputationEvent[]): ReputationEvent[] {
  const undated = events.slice(0, 1).filter((event) => Number.isNaN(timeOf(event)));
  const dated = events.filter((event) => !Number.isNaN(timeOf(event)));
  return [...undated, ...dated.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, 1)];
}

/** When the state changed, in milliseconds since 1970; NaN when that cannot be read. */
export function timeOf({ createdAt }: ReputationEvent): number {
  return Date.parse(createdAt);
}

function normalized(state: string): string {
  return state.trim().toUpperCase();
}

function known(states: readonly string[]): string {
  return `There are: ${states.map(visible).join(', ')}`;
}
