import { type ConsentValue, isUndelivered } from './cell.ts';
import type { ConsentKind, FileColumn } from './column.ts';
import {
  isCertainlyAnswered,
  isStatusOfEmail,
  listsWhatIsReceived,
  mayHoldArrivals,
  saysGone,
} from './column-name.ts';

/** What a cell means: `unreadable` if its column asks about consent and it is no answer. */
export type Meaning = 'yes' | 'no' | 'missing' | 'unconfirmed' | 'unreadable';

/** How the cells of a column are read: as a status, as who wants email, as who does not; or not at all. */
type Reading = 'status' | 'positive' | 'inverted' | 'none';

/** What else a file says. */
export interface Beside {
  /** Whether the command line names a column that says who wants email. */
  readonly isStated: boolean;
  /** Whether another column decides. */
  readonly isDecided: boolean;
  /** Whether a template writes the column, so that it is data. */
  readonly isWritten: boolean;
}

/** What follows from a column, once all of its cells are read. */
interface Rule {
  readonly reads: Reading;
  /** Whether the column says who wants email. */
  decides(column: FileColumn): boolean;
  /** Whether it leaves that in doubt, so that nothing is sent. */
  isDoubtful(column: FileColumn, beside: Beside): boolean;
}

const never = () => false;
const sure = { decides: isRead, isDoubtful: isUnreadable } as const;

/** The table of rules: who wants email, who is gone, who is doubtful, by the kind of a column. */
export const rules: Readonly<Record<ConsentKind, Rule>> = {
  'stated positive': { reads: 'positive', ...sure },
  'stated inverted': { reads: 'inverted', ...sure },
  subscribed: { reads: 'positive', ...sure },
  positive: { reads: 'positive', ...sure },
  inverted: { reads: 'inverted', ...sure },
  'likely positive': {
    reads: 'positive',
    decides: (column) => isRead(column) && column.counts.other === undefined,
    isDoubtful: (column) =>
      isUnreadable(column) &&
      (isSaid(column) || valuesOf(column).length > 1 || column.counts.empty !== undefined),
  },
  'perhaps positive': {
    reads: 'positive',
    decides: never,
    // A flag for another column settles it if it says yes of everybody.
    isDoubtful: (column, { isStated }) =>
      (isAsking(column) && !(isStated && saysOnlyYes(column))) ||
      (listsWhatIsReceived(column.name) && column.filled > 0 && column.counts.empty !== undefined),
  },
  'perhaps inverted': {
    reads: 'inverted',
    decides: never,
    // Where the name leaves no doubt what yes means, it matters only if it is said of somebody.
    isDoubtful: (column) => (saysGone(column.name) ? isSet(column) : isAsking(column)),
  },
  status: {
    reads: 'status',
    decides: decidesAsStatus,
    isDoubtful: (column, beside) =>
      isDoubtfulStatus(column, beside) ||
      (!isDeliverable(column) &&
        !(beside.isDecided || beside.isStated) &&
        ((column.isUnknown && !beside.isWritten) || isOpen(column))),
  },
  'perhaps status': {
    reads: 'status',
    decides: decidesAsStatus,
    isDoubtful: isDoubtfulStatus,
  },
  gone: { reads: 'none', decides: never, isDoubtful: isSet },
  'perhaps gone': {
    reads: 'none',
    decides: never,
    isDoubtful: (column, beside) =>
      isSet(column) &&
      (isForGood(column) || !(beside.isDecided || beside.isStated || beside.isWritten)),
  },
  values: {
    reads: 'none',
    decides: never,
    isDoubtful: (column) =>
      column.denies ||
      (column.counts.no !== undefined &&
        valuesOf(column).every((value) => /^(yes|no)$/.test(value))),
  },
  name: { reads: 'none', decides: never, isDoubtful: ({ denies }) => denies },
  'other channel': { reads: 'none', decides: never, isDoubtful: ({ denies }) => denies },
};

/** Whether every address was found to work, which says nothing else of anybody. */
function isDeliverable({ shape, values }: FileColumn): boolean {
  const all = [...values.keys()];
  return (
    shape.arrivals &&
    all.length > 0 &&
    all.every((text) => /^(?:valid|deliverable|ok|good)$/i.test(text.trim()))
  );
}

/** Whether a column of any name says that email does not arrive. */
export function isUndeliverable(column: FileColumn): boolean {
  if (!column.shape.arrivals || isStated(column.kind)) return false;
  return undelivered(column).length > 0;
}

/** The values of a column that say that email does not arrive. */
export function undelivered({ name, values }: FileColumn): readonly string[] {
  const isAbout = mayHoldArrivals(name);
  return [...values.keys()].filter((text) => isUndelivered(text, isAbout));
}

/** Whether only values that say no to email matter. */
export function isOfAnything(kind: ConsentKind): boolean {
  return kind === 'values' || kind === 'name' || kind === 'other channel';
}

/** Whether the command line, or the name `subscribed`, says what a column means. */
export function isStated(kind: ConsentKind): boolean {
  return kind === 'subscribed' || kind.startsWith('stated');
}

/** Whether the name alone says that a column is about consent, and how. */
export function isSure(kind: ConsentKind): boolean {
  return ['positive', 'inverted', 'stated positive', 'stated inverted'].includes(kind);
}

/** What a value means in a column of a kind; undefined if nothing. */
export function meaningIn(kind: ConsentKind, value: ConsentValue): Meaning | undefined {
  const { reads } = rules[kind];
  // Other statuses, such as `pending`, are also of orders: the rule decides.
  if (reads === 'status') return meanings[value].status;
  if (reads === 'inverted') return meanings[value].inverted;
  if (reads === 'none') return undefined;
  return meanings[value].positive ?? (kind === 'subscribed' ? 'unconfirmed' : 'missing');
}

const meanings: Readonly<
  Record<ConsentValue, { readonly [Read in Exclude<Reading, 'none'>]?: Meaning }>
> = {
  yes: { status: 'yes', positive: 'yes' },
  no: { status: 'no', inverted: 'no', positive: 'no' },
  true: { inverted: 'no', positive: 'yes' },
  false: { positive: 'no' },
  granted: { inverted: 'unreadable', positive: 'yes' },
  denied: { inverted: 'unreadable', positive: 'no' },
  never: { inverted: 'unreadable', positive: 'no' },
  active: { positive: 'yes' },
  inactive: { inverted: 'unreadable', positive: 'no' },
  unconfirmed: { inverted: 'unreadable' },
  pending: { inverted: 'unreadable' },
  ended: { inverted: 'unreadable', positive: 'no' },
  transactional: { status: 'no', inverted: 'no', positive: 'no' },
  date: { inverted: 'no', positive: 'yes' },
  empty: {},
  none: {},
  other: { inverted: 'unreadable', positive: 'unreadable' },
};

/** What the cells of a column say, other than nothing. */
function valuesOf({ counts }: FileColumn): ConsentValue[] {
  const { empty, ...rest } = counts;
  return Object.keys(rest) as ConsentValue[];
}

function isRead(column: FileColumn): boolean {
  return valuesOf(column).length > 0;
}

function isUnreadable(column: FileColumn): boolean {
  return valuesOf(column).some((value) => meaningIn(column.kind, value) === 'unreadable');
}

/** Whether a column has an answer in words. Other values, such as `inactive`, are of accounts, too. */
function isSaid({ denies, isAnswered, words }: FileColumn): boolean {
  return denies || isAnswered || answers.some((value) => words.has(value));
}

const answers: readonly ConsentValue[] = [
  ...(['yes', 'no', 'true', 'false', 'granted', 'denied', 'never'] as const),
];

/** Whether a column that may ask for consent has answers. */
function isAsking(column: FileColumn): boolean {
  if (!isRead(column)) return false;
  return !isUnreadable(column) || isSaid(column) || isCertainlyAnswered(column.name);
}

function saysOnlyYes(column: FileColumn): boolean {
  const isYes = (value: ConsentValue) => meaningIn('stated positive', value) === 'yes';
  return column.counts.empty === undefined && valuesOf(column).every(isYes);
}

/** Whether a column says something of some people: `false`, 0 and the like say nothing. */
function isSet(column: FileColumn): boolean {
  return valuesOf(column).some((value) => !['false', 'none', 'never'].includes(value));
}

/** Whether a column about bounces says of some that they are permanent. */
function isForGood({ values }: FileColumn): boolean {
  return [...values.keys()].some((text) => /^(hard|permanent)/i.test(text));
}

function decidesAsStatus({ counts }: FileColumn): boolean {
  return counts.yes !== undefined || counts.no !== undefined;
}

/** Whether a status mixes those of subscriptions with others, or is that of an account that may not want email. */
function isDoubtfulStatus(column: FileColumn, { isStated, isDecided }: Beside): boolean {
  const { counts, name } = column;
  // Another column may have the date when somebody signed up.
  if (counts.unconfirmed !== undefined && !column.isElsewhere) return true;
  if (isStated || !isRead(column)) return false;
  // Whoever has no status may want email or not.
  if (decidesAsStatus(column)) {
    return counts.empty !== undefined || !isSubscription(valuesOf(column));
  }
  if (isInactive(column) && !isDecided) return true;
  const isAnswer = valuesOf(column).some((value) => value !== 'other' && value !== 'none');
  return (
    counts.transactional !== undefined || (isStatusOfEmail(name) && (isAnswer || isSaid(column)))
  );
}

/** Whether all values are statuses of a subscription. */
function isSubscription(values: readonly ConsentValue[]): boolean {
  return values.every((value) => ['yes', 'no', 'active', 'transactional'].includes(value));
}

/** Whether a status says that people or accounts are inactive, disabled or the like. */
function isInactive({ counts, words }: FileColumn): boolean {
  const values = Object.keys(counts) as ConsentValue[];
  const isKnown = values.every((value) => value === 'empty' || statuses.includes(value));
  const has = (kinds: readonly ConsentValue[]) =>
    kinds.some((value) => (isKnown ? counts[value] !== undefined : words.has(value)));
  return has(inactive) || (has(active) && has(begunOrEnded));
}

const inactive: readonly ConsentValue[] = ['inactive', 'false', 'denied', 'never', 'unconfirmed'];
const active: readonly ConsentValue[] = ['active', 'true', 'granted'];
/** Also said of orders and bookings. */
const begunOrEnded: readonly ConsentValue[] = ['pending', 'ended'];
const statuses: readonly ConsentValue[] = [...inactive, ...active, ...begunOrEnded, 'date'];

/** Whether a status has begun or ended, of a subscription as far as its other values tell. */
function isOpen({ counts, isElsewhere }: FileColumn): boolean {
  return !isElsewhere && begunOrEnded.some((value) => counts[value] !== undefined);
}
