import type { Context } from '../command/context.ts';
import { type ColumnChoices, isConsentField } from '../rows/column-choices.ts';
import { fieldNames } from '../rows/email-columns.ts';
import type { ReadableRow } from '../rows/row.ts';
import { asMeant } from '../text/column-names.ts';
import { grouped } from '../text/quantity.ts';
import { shortened } from '../text/shortened.ts';
import {
  type ConsentHeader,
  consentHeader,
  isCertainlyAnswered,
  isOfOtherChannel,
  isStatusOfEmail,
  mayBeContent,
  mayHoldCodes,
} from './consent-header.ts';
import { type ConsentValue, consentValue, isDenial, isLikeAnswer } from './consent-value.ts';
import { doubtAbout } from './doubt.ts';
import { refuseSuppressed } from './file-name.ts';
import { createUnnamedCells } from './unnamed-cells.ts';

/** What a row says about wanting email, by its columns together. */
export interface RowConsent {
  /** `no` if one column says no. */
  readonly says: 'yes' | 'no' | undefined;
  /** The column that says so, or that has no answer. */
  readonly column?: string;
  /** Whether the command line, or the name `subscribed`, says what that column means. */
  readonly isStated?: boolean;
  /**
   * Whether a column that asks for consent says neither yes nor no: `missing`; or, if that column is `subscribed`,
   * which exports leave empty for people who have not confirmed, `unconfirmed`.
   */
  readonly lacks?: 'missing' | 'unconfirmed';
}

/** A column that says who wants email. */
export interface ConsentColumn {
  readonly name: string;
  /** Whether the command line, or the name `subscribed`, says so; else its name and values do. */
  readonly isStated: boolean;
  /** Whether yes means that a person does not want email. */
  readonly isInverted: boolean;
  readonly yes: number;
  readonly no: number;
  /** Cells that say neither. */
  readonly neither: number;
}

/**
 * How a column is read. `stated` ones are meant by the command line or by the name `subscribed`; those of
 * kind `values` have a name that says nothing, those of `other channel` one about text messages, phone or the like.
 */
type Kind =
  | ConsentHeader
  | 'stated positive'
  | 'stated inverted'
  | 'subscribed'
  | 'values'
  | 'other channel';

interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly counts: Partial<Record<ConsentValue, number>>;
  /** Values as written, with how often; only the first ones. */
  readonly values: Map<string, number>;
  /** Whether a value says no in words that are no count, or that mean nothing else. */
  denies: boolean;
  /** What values say in more than a letter, a digit or a code, which may be anything among other values. */
  readonly words: Set<ConsentValue>;
  /** Whether a value that is not understood reads as an answer. */
  isAnswered: boolean;
  yes: number;
  no: number;
}

/** Different values of a column that are counted one by one, and named in a message. */
const mostValues = 50;
/** Different values of a column about anything, from which on it is taken for data, and how long they are kept. */
const mostDifferent = 300;
const longestKept = 100;
/** Columns of each sort that are looked at, and names that are kept: rows of JSON may each have their own. */
const mostColumns = 2000;
const mostNames = 100_000;

/** Whether a column holds tags and the like, which say no in any row, however many different ones there are. */
function holdsWords(name: string): boolean {
  return /tag|label|list|group|segment/i.test(name);
}

const nothing: RowConsent = { says: undefined };

export type Consent = ReturnType<typeof createConsent>;

/**
 * Reads, row by row, which columns say who wants email, and what they say: by name and values together, since
 * a name such as "Status" may mean anything. What is certain can be used at once, and `end` throws a
 * `UsageError` for what is doubtful. Whoever checks what `subscribed` says in each row, says so.
 */
export function createConsent(choices: ColumnChoices, isSubscribedChecked = false) {
  const columns = new Map<string, Column | undefined>();
  const unnamed = createUnnamedCells();
  /** How many of them are looked at: with a name that says something, and others. */
  const looked = { told: 0, others: 0 };
  /** The columns of the last row that are looked at. */
  let last: { readonly names: readonly string[]; columns: readonly Column[] } | undefined;

  const columnOf = (name: string): Column | undefined => {
    if (columns.has(name)) return columns.get(name);
    const kind = kindOf(name, choices);
    const sort = kind !== undefined && isOfAnything(kind) ? 'others' : 'told';
    const isLooked = kind !== undefined && looked[sort] < mostColumns;
    if (isLooked) looked[sort]++;
    const column = isLooked
      ? {
          ...{ name, kind, counts: {}, values: new Map(), words: new Set<ConsentValue>() },
          ...{ denies: false, isAnswered: false, yes: 0, no: 0 },
        }
      : undefined;
    if (!isLooked && columns.size >= mostNames) return undefined;
    columns.set(name, column);
    return column;
  };
  /** Counts a value. */
  const note = (column: Column, cell: unknown): ConsentValue => {
    const value = consentValue(cell);
    column.counts[value] = (column.counts[value] ?? 0) + 1;
    if (value === 'empty') return value;
    const text = shortened(textOf(cell), 40);
    if (text.trim().length > (mayHoldCodes(column.name) ? 2 : 1)) column.words.add(value);
    column.denies ||= value === 'none' || isDenial(cell);
    column.isAnswered ||= value === 'other' && isLikeAnswer(cell, !mayBeContent(column.name));
    const count = column.values.get(text) ?? 0;
    if (count > 0 || column.values.size < mostValues) column.values.set(text, count + 1);
    return value;
  };
  /** Looks for a no in a column about anything, as long as it has few different values: it may be a status, or tags. */
  const look = (column: Column, cell: unknown) => {
    if (cell === undefined || cell === '') return;
    const isDenied = () =>
      isDenial(cell) && (column.kind === 'values' || /mail|news|contact/i.test(textOf(cell)));
    const text = shortened(textOf(cell), longestKept);
    const count = column.values.get(text);
    if (count !== undefined) column.values.set(text, count + 1);
    else if (column.values.size < mostDifferent) {
      const value = consentValue(cell);
      column.counts[value] = (column.counts[value] ?? 0) + 1;
      column.values.set(text, 1);
    } else if (isDenied()) {
      // The message names it.
      column.values.set(text, 1);
    } else if (!column.denies && !holdsWords(column.name)) {
      // Its values are about something else.
      columns.set(column.name, undefined);
      last = last && { ...last, columns: last.columns.filter((one) => one !== column) };
    }
    column.denies ||= (count === undefined || text.length > longestKept) && isDenied();
  };

  return {
    /**
     * Whether a column is certainly about consent by its name alone, so that it is nothing else: then it is no
     * property of a contact.
     */
    isCertain: (name: string): boolean => {
      const kind = columnOf(name)?.kind;
      return kind !== undefined && isSure(kind) && !isRenamed(name, choices);
    },
    /** What a row says. */
    row({ number, columns: names, scope, unnamed: nameless }: ReadableRow): RowConsent {
      if (nameless !== undefined && !choices.isIgnored('')) unnamed.take(number, nameless);
      // All rows of a CSV file have the same list of names.
      if (last?.names !== names) {
        last = { names, columns: names.flatMap((name) => columnOf(name) ?? []) };
      }
      if (last.columns.length === 0) return nothing;
      const cells = scope();
      let by: Column | undefined;
      let says: RowConsent['says'];
      let lacking: RowConsent | undefined;
      for (const column of last.columns) {
        const cell = cells[column.name];
        if (isOfAnything(column.kind)) {
          look(column, cell);
          continue;
        }
        const said = meaningOf(column.kind, note(column, cell));
        // `end` decides what these are: doubtful, or data.
        if (column.kind.startsWith('perhaps')) continue;
        if (said === 'missing' || said === 'unconfirmed') {
          lacking ??= { says: undefined, column: column.name, lacks: said };
        }
        if (said !== 'yes' && said !== 'no') continue;
        column[said]++;
        if (says === 'no' && (said === 'yes' || !isStated(column.kind))) continue;
        says = said;
        by = column;
      }
      if (by === undefined) return lacking ?? nothing;
      return { says, column: by.name, isStated: isStated(by.kind) };
    },
    /**
     * The columns that say who wants email, once all rows are read; says which cells are not used. Throws a
     * `UsageError` for columns that may say that, or that say it in values that cannot be read, and for a file whose
     * name says no.
     */
    end(
      file: string,
      { system, notes }: Pick<Context, 'system' | 'notes'>,
    ): readonly ConsentColumn[] {
      unnamed.refuse(file, system);
      const all = [...columns.values()].filter((one) => one !== undefined);
      const used = all.filter(isUsed);
      const doubtful = all.filter(
        (one) =>
          (isDoubtful(one, choices.isConsentStated) &&
            !(one.kind === 'subscribed' && isSubscribedChecked)) ||
          (isInactive(one) && used.length === 0 && !choices.isConsentStated),
      );
      if (doubtful.length > 0) {
        const told = doubtful.map(({ name, kind, values }) => ({
          ...{ name, values },
          ...{
            isUnreadable: isSure(kind) || kind === 'subscribed',
            isInverted: kind.endsWith('inverted'),
          },
        }));
        throw doubtAbout(told, file, system);
      }
      if (used.length === 0 && !choices.isFileNameIgnored) refuseSuppressed(file);
      for (const line of unnamed.leftOut()) notes.warn(line);
      return used.map(({ name, kind, yes: said, no, counts }) => {
        const rows = Object.values(counts).reduce((sum, one) => sum + one, 0);
        // Beside `unsubscribed`, `active` is the status of a subscription.
        const yes = said + (kind === 'status' ? (counts.active ?? 0) : 0);
        const isInverted = kind.endsWith('inverted');
        return { name, isStated: isStated(kind), isInverted, yes, no, neither: rows - yes - no };
      });
    },
  };
}

function kindOf(name: string, choices: ColumnChoices): Kind | undefined {
  const field = choices.fieldOf(name);
  if (field === 'subscribed') return 'stated positive';
  if (field === 'unsubscribed') return 'stated inverted';
  // In files that mailer itself has written, this is how properties are called.
  const isData = (field ?? name).startsWith('properties.');
  if (isData || choices.isIgnored(name)) return undefined;
  if (fieldsOfRows.has(asMeant(field ?? name))) return undefined;
  // Another name takes no meaning away.
  if (field === undefined && asMeant(name) === 'subscribed') return 'subscribed';
  const columnName = choices.columnNamed(name) ?? name;
  const kind =
    consentHeader(columnName) ??
    consentHeader(field ?? name) ??
    (isOfOtherChannel(columnName) ? 'other channel' : 'values');
  // The command line says which column it is.
  return choices.isConsentStated && /^(perhaps|values|other)/.test(kind) ? undefined : kind;
}

/** Whether only values that say no to email matter. */
function isOfAnything(kind: Kind): boolean {
  return kind === 'values' || kind === 'other channel';
}

/** Fields that `--map` may name, and that say nothing about wanting email. */
const fieldsOfRows = new Set(['email', 'firstName', 'lastName', ...fieldNames].map(asMeant));

/** Whether `--map` gives a property or variable another name. */
function isRenamed(name: string, choices: ColumnChoices): boolean {
  const field = choices.fieldOf(name);
  return field !== undefined && !isConsentField(field);
}

function isStated(kind: Kind): boolean {
  return kind === 'subscribed' || kind.startsWith('stated');
}

/** Whether the name alone says that a column is about consent, and how. */
function isSure(kind: Kind): boolean {
  return ['positive', 'inverted', 'stated positive', 'stated inverted'].includes(kind);
}

type Meaning = 'yes' | 'no' | 'missing' | 'unconfirmed' | 'unreadable';

/** What a value means: as a status, where a column asks who does not want email, and where it asks who does. */
const meanings: Readonly<
  Record<ConsentValue, { readonly [Asks in 'status' | 'inverted' | 'positive']?: Meaning }>
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

/** What a value means in a column; `unreadable` if its column asks about consent and it is no answer. */
function meaningOf(kind: Kind, value: ConsentValue): Meaning | undefined {
  // Other statuses, such as `pending`, are also of orders: `isDoubtful` decides.
  if (kind === 'status') return meanings[value].status;
  if (kind.endsWith('inverted')) return meanings[value].inverted;
  return meanings[value].positive ?? (kind === 'subscribed' ? 'unconfirmed' : 'missing');
}

function textOf(cell: unknown): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Answers in words. Others, such as `inactive`, are of accounts, too. */
const answers: readonly ConsentValue[] = [
  ...(['yes', 'no', 'true', 'false', 'granted', 'denied', 'never'] as const),
];

function isDoubtful(column: Column, isSettled: boolean): boolean {
  const { name, kind, counts, denies, words, isAnswered } = column;
  const { empty, ...rest } = counts;
  const values = Object.keys(rest) as ConsentValue[];
  if (values.length === 0) return false;
  if (kind === 'other channel') return denies;
  const isUnreadable = values.some((value) => meaningOf(kind, value) === 'unreadable');
  if (isSure(kind) || kind === 'subscribed') return isUnreadable;
  if (kind === 'values') {
    return denies || (counts.no !== undefined && values.every((one) => /^(yes|no)$/.test(one)));
  }
  const isSaid = denies || isAnswered || answers.some((one) => words.has(one));
  if (kind === 'status') {
    if (isSettled) return false;
    if (counts.yes !== undefined || counts.no !== undefined) return !isStatus(values);
    const isAnswer = values.some((one) => one !== 'other' && one !== 'none');
    return counts.transactional !== undefined || (isStatusOfEmail(name) && (isAnswer || isSaid));
  }
  if (!isUnreadable) return kind !== 'likely positive';
  if (isSaid || isCertainlyAnswered(name)) return true;
  return kind === 'likely positive' && (values.length > 1 || empty !== undefined);
}

/** Whether all values are statuses of a subscription. */
function isStatus(values: readonly ConsentValue[]): boolean {
  return values.every((value) => ['yes', 'no', 'active', 'transactional'].includes(value));
}

/**
 * Whether a status says that people or accounts are inactive, disabled or the like: of a subscription, or of anything
 * else. A column that says who wants email decides, where there is one.
 */
function isInactive({ kind, counts, words }: Column): boolean {
  if (kind !== 'status') return false;
  const values = Object.keys(counts) as ConsentValue[];
  const isKnown = values.every((one) => one === 'empty' || statuses.includes(one));
  const has = (kinds: readonly ConsentValue[]) =>
    kinds.some((one) => (isKnown ? counts[one] !== undefined : words.has(one)));
  return has(inactive) || (has(active) && has(begunOrEnded));
}

const inactive: readonly ConsentValue[] = ['inactive', 'false', 'denied', 'never', 'unconfirmed'];
const active: readonly ConsentValue[] = ['active', 'true', 'granted'];
/** Also said of orders and bookings. */
const begunOrEnded: readonly ConsentValue[] = ['pending', 'ended'];
const statuses: readonly ConsentValue[] = [...inactive, ...active, ...begunOrEnded];

function isUsed({ kind, counts }: Column): boolean {
  if (kind === 'status') return counts.yes !== undefined || counts.no !== undefined;
  const isRead = Object.keys(counts).some((one) => one !== 'empty');
  if (kind === 'likely positive') return isRead && counts.other === undefined;
  return isRead && (isSure(kind) || kind === 'subscribed');
}

/** What a column says, for a person: `"Accepts Email Marketing" says who wants email: 412 yes, 88 no`. */
export function consentInWords({ name, isInverted, yes, no, neither }: ConsentColumn): string {
  const column = JSON.stringify(name);
  if (isInverted) {
    return `${column} says who does not want email: ${grouped(no)} of ${grouped(yes + no + neither)}`;
  }
  const rest = neither === 0 ? '' : `, ${grouped(neither)} without an answer`;
  return `${column} says who wants email: ${grouped(yes)} yes, ${grouped(no)} no${rest}`;
}
