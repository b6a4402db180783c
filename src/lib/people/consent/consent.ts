import { asMeant } from '../../base/text/column-names.ts';
import { grouped } from '../../base/text/quantity.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { type ColumnChoices, isConsentField } from '../rows/column-choices.ts';
import { fieldNames } from '../rows/email-columns.ts';
import type { ReadableRow, UnreadableRow } from '../rows/row.ts';
import { type ConsentKind, FileColumn } from './column.ts';
import { isOfOtherChannel, meaningOfName } from './column-name.ts';
import { doubtAbout, refuseLate, refuseUnseenValues } from './doubt.ts';
import { createHeadings, refuseSuppressed } from './headings.ts';
import { isOfAnything, isStated, isSure, isUndeliverable, meaningIn, rules } from './rules.ts';
import { type ColumnToCheck, columnsToCheck } from './to-check.ts';
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
  /** What each column says, by its number, for `count`. */
  readonly cells?: readonly CellSays[];
}

/** The number of a column, and what it says in a row; `active` is a yes beside an `unsubscribed`. */
export type CellSays = readonly [column: number, says: 'yes' | 'no' | 'active' | 'neither'];

/** A column that says who wants email. */
export interface ConsentColumn {
  readonly name: string;
  /** Whether the command line, or the name `subscribed`, says so; else its name and values do. */
  readonly isStated: boolean;
  /** Whether yes means that a person does not want email. */
  readonly isInverted: boolean;
  /** Rows that were counted, by what they say. */
  readonly yes: number;
  readonly no: number;
  readonly neither: number;
}

/** What the columns of a file say together. */
export interface FileConsent {
  readonly columns: readonly ConsentColumn[];
  /** Columns that decide nothing, and whose values look as if they might. */
  readonly toCheck: readonly ColumnToCheck[];
}

interface ConsentOptions {
  /** Whether somebody else checks what `subscribed` says in each row. */
  readonly isSubscribedChecked?: boolean;
  /** Whether a template writes a column, so that whoever wrote it knows it as data. */
  readonly isWritten?: (name: string) => boolean;
  /** Whether a column is a variable of the book. */
  readonly isVariable?: (name: string) => boolean;
}

/** Columns of each sort that are looked at, and names that are kept: rows of JSON may each have their own. */
const mostColumns = 2000;
const mostNames = 100_000;

const nothingBeside = { isStated: false, isDecided: false, isWritten: false } as const;

const nothing: RowConsent = { says: undefined };

/**
 * Reads, row by row, which columns say who wants email, and what they say: by name and values together, since
 * a name such as "Status" may mean anything. What is certain can be used at once, and `end` throws a
 * `UsageError` for what is doubtful. The rules are in `rules.ts`, the words in `words.ts`.
 */
export class Consent {
  readonly #choices: ColumnChoices;
  readonly #options: ConsentOptions;
  readonly #numbers = new Map<string, number | undefined>();
  readonly #columns: FileColumn[] = [];
  /** The numbers of those whose cells count, even if they are empty. */
  readonly #told: number[] = [];
  readonly #counted: Record<CellSays[1], number>[] = [];
  readonly #unnamed = createUnnamedCells();
  readonly #headings = createHeadings();
  /** How many columns are looked at: with a name that says something, and others. */
  readonly #looked = { told: 0, others: 0 };
  /** The columns of the last row that are looked at. */
  #last: { readonly names: readonly string[]; readonly numbers: readonly number[] } | undefined;
  #rows = 0;

  constructor(choices: ColumnChoices, options: ConsentOptions = {}) {
    this.#choices = choices;
    this.#options = options;
  }

  /**
   * Whether a column is certainly about consent by its name alone, so that it is nothing else: then it is no
   * property of a contact.
   */
  isCertain(name: string): boolean {
    const kind = this.#column(name)?.kind;
    return kind !== undefined && isSure(kind) && !isRenamed(name, this.#choices);
  }

  /** Whether a column may turn out to be about consent once all rows are read, so that it is no property either. */
  mayDecide = (name: string): boolean => {
    const kind = this.#column(name)?.kind;
    const isPerhaps = kind === 'likely positive' || kind === 'status' || kind === 'perhaps status';
    return isPerhaps && !isRenamed(name, this.#choices);
  };

  /** Sees a row that cannot be read. */
  unreadable(row: UnreadableRow): void {
    this.#headings.take(row);
  }

  /** What a row says. Unless it is left out, `count` counts it. */
  row(row: ReadableRow): RowConsent {
    if (this.#headings.take(row)) return nothing;
    const { number, columns, ahead, fieldColumns, scope, unnamed } = row;
    this.#rows++;
    if (unnamed !== undefined && !this.#choices.isIgnored('')) this.#unnamed.take(number, unnamed);
    const names = ahead ?? columns;
    // All rows of a CSV file have the same list of names. In JSON, a field that is not there has no value.
    if (this.#last?.names !== names) {
      const own = names.flatMap((name) => this.#numberOf(name) ?? []);
      const numbers = fieldColumns === undefined ? [...new Set([...this.#told, ...own])] : own;
      this.#last = { names, numbers };
    }
    const { numbers } = this.#last;
    if (numbers.length === 0) return nothing;
    const values = scope();
    const cells: CellSays[] = [];
    let by: FileColumn | undefined;
    let says: RowConsent['says'];
    let lacking: RowConsent | undefined;
    let isPending = false;
    for (const at of numbers) {
      // `#numberOf` made it.
      const column = this.#columns[at] as FileColumn;
      const cell = values[column.name];
      if (isOfAnything(column.kind)) {
        column.look(cell);
        continue;
      }
      const value = column.note(cell);
      const said = meaningIn(column.kind, value);
      const isAnswer = said === 'yes' || said === 'no';
      cells.push([at, isAnswer ? said : value === 'active' ? value : 'neither']);
      // `end` decides what these are: doubtful, or data.
      if (/^perhaps (positive|inverted)$/.test(column.kind)) continue;
      if (said === 'missing' || said === 'unconfirmed') {
        const isAsked = value === 'unconfirmed' || value === 'pending';
        if (lacking === undefined || (isAsked && !isPending)) {
          lacking = { says: undefined, column: column.name, lacks: said, cells };
        }
        isPending ||= isAsked;
      }
      if (!isAnswer || (says === 'no' && (said === 'yes' || !isStated(column.kind)))) continue;
      says = said;
      by = column;
    }
    // Whoever was asked and has not confirmed has no yes, such as the date of a sign-up, elsewhere.
    if (isPending && says === 'yes') by = undefined;
    if (by === undefined) return lacking ?? { says: undefined, cells };
    return { says, column: by.name, isStated: isStated(by.kind), cells };
  }

  /** Counts a row that counts, or with -1 one that does not after all. */
  count(cells: readonly CellSays[] | undefined, by: 1 | -1 = 1): void {
    for (const [at, says] of cells ?? []) {
      this.#counted[at] ??= { yes: 0, no: 0, active: 0, neither: 0 };
      this.#counted[at][says] += by;
    }
  }

  /**
   * What the columns say, once all rows are read; says which cells are not used. Throws a `UsageError` for columns
   * that may say who wants email, or that say it in values that cannot be read, and for a file whose name says no.
   */
  end(file: string, { system, notes }: Pick<Context, 'system' | 'notes'>): FileConsent {
    this.#headings.refuse(file);
    this.#unnamed.refuse(file, system);
    refuseUnseenValues(this.#columns, file);
    refuseLate(this.#columns, file);
    const deciding = this.#columns.filter((column) => rules[column.kind].decides(column));
    // Who objects to nothing has not said yes.
    const isYes = (column: FileColumn) =>
      rules[column.kind].reads !== 'inverted' && column.counts.empty !== this.#rows;
    const isDecided = deciding.some(isYes);
    const beside = { isStated: this.#choices.isConsentStated && isDecided, isDecided };
    const isWritten = (name: string) => this.#options.isWritten?.(name) === true;
    const doubtful = this.#columns.filter(
      (column) =>
        ((isUndeliverable(column) && !deciding.includes(column)) ||
          rules[column.kind].isDoubtful(column, {
            ...beside,
            isWritten: isWritten(column.name),
          })) &&
        !(column.kind === 'subscribed' && this.#options.isSubscribedChecked === true),
    );
    if (doubtful.length > 0) throw doubtAbout(doubtful, { file, rows: this.#rows, system });
    if (deciding.length === 0 && !this.#choices.isFileNameIgnored) refuseSuppressed(file);
    for (const line of this.#unnamed.leftOut()) notes.warn(line);
    const unread = this.#choices
      .leftOut()
      .filter((name) => /^(positive|inverted|status|gone)$/.test(meaningOfName(name) ?? ''));
    if (unread.length > 0) {
      notes.say(`Not used, although by name it may say who wants email: ${quotedNames(unread)}.`);
    }
    const others = this.#columns.filter(
      (column) =>
        !(
          deciding.includes(column) ||
          (isWritten(column.name) && column.kind !== 'name') ||
          this.#options.isVariable?.(column.name) === true
        ),
    );
    return {
      columns: deciding.map((column) => this.#decision(column)),
      toCheck: columnsToCheck(others, this.#rows, (column) =>
        rules[column.kind].isDoubtful(column, nothingBeside),
      ),
    };
  }

  #decision(column: FileColumn): ConsentColumn {
    const { name, kind } = column;
    const counted = this.#counted[this.#columns.indexOf(column)];
    const { yes = 0, no = 0, active = 0, neither = 0 } = counted ?? {};
    return {
      ...{ name, isStated: isStated(kind), isInverted: rules[kind].reads === 'inverted', no },
      // Beside `unsubscribed`, `active` is the status of a subscription.
      ...(rules[kind].reads === 'status'
        ? { yes: yes + active, neither }
        : { yes, neither: neither + active }),
    };
  }

  #column(name: string): FileColumn | undefined {
    const number = this.#numberOf(name);
    return number === undefined ? undefined : this.#columns[number];
  }

  #numberOf(name: string): number | undefined {
    if (this.#numbers.has(name)) return this.#numbers.get(name);
    const kind = kindOf(name, this.#choices);
    const sort = kind !== undefined && isOfAnything(kind) ? 'others' : 'told';
    const isLooked = kind !== undefined && this.#looked[sort] < mostColumns;
    if (!isLooked && this.#numbers.size >= mostNames) return undefined;
    const number = isLooked ? this.#columns.length : undefined;
    if (isLooked) {
      this.#looked[sort]++;
      if (sort === 'told') this.#told.push(this.#columns.length);
      const earlier = Math.max(0, this.#rows - 1);
      this.#columns.push(new FileColumn(name, kind, this.#choices.valuesOf(name), earlier));
    }
    this.#numbers.set(name, number);
    return number;
  }
}

function kindOf(name: string, choices: ColumnChoices): ConsentKind | undefined {
  const field = choices.fieldOf(name);
  if (field === 'subscribed') return 'stated positive';
  if (field === 'unsubscribed') return 'stated inverted';
  // In files that mailer itself has written, this is how properties are called.
  const isData = (field ?? name).startsWith('properties.');
  if (isData || choices.isIgnored(name)) return undefined;
  const meant = asMeant(field ?? name);
  if (namesOfPeople.has(meant)) return 'name';
  if (fieldsOfRows.has(meant)) return undefined;
  // Another name takes no meaning away.
  if (field === undefined && asMeant(name) === 'subscribed') return 'subscribed';
  const columnName = choices.columnNamed(name) ?? name;
  return (
    meaningOfName(columnName) ??
    meaningOfName(field ?? name) ??
    (isOfOtherChannel(columnName) ? 'other channel' : 'values')
  );
}

/** Fields that `--map` may name, and that say nothing about wanting email. */
const fieldsOfRows = new Set(['email', ...fieldNames].map(asMeant));
const namesOfPeople = new Set(['firstName', 'lastName'].map(asMeant));

/** Whether `--map` gives a property or variable another name. */
function isRenamed(name: string, choices: ColumnChoices): boolean {
  const field = choices.fieldOf(name);
  return field !== undefined && !isConsentField(field);
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
