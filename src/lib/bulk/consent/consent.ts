import { UsageError } from '../../errors.ts';
import { asMeant } from '../../text/column-names.ts';
import { grouped } from '../../text/quantity.ts';
import { withMore } from '../../text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../../text/shell-quote.ts';
import { shortened } from '../../text/shortened.ts';
import type { ColumnChoices } from '../input/column-choices.ts';
import type { ReadableRow } from '../input/row.ts';
import { type ConsentHeader, consentHeader } from './consent-header.ts';
import { type ConsentValue, consentValue } from './consent-value.ts';

/** What a row says about wanting email, by its columns together. */
export interface RowConsent {
  /** `no` if one column says no. */
  readonly says: 'yes' | 'no' | undefined;
  /** The column that says so. */
  readonly column?: string;
  /** Whether the command line, or the name `subscribed`, says what that column means. */
  readonly isStated?: boolean;
  /** Whether a column that asks for consent says neither yes nor no: nobody new is subscribed by that. */
  readonly isMissing: boolean;
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
 * kind `values` have a name that says nothing.
 */
type Kind = ConsentHeader | 'stated positive' | 'stated inverted' | 'subscribed' | 'values';

interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly counts: Partial<Record<ConsentValue, number>>;
  /** Values as written, with how often; only the first ones. */
  readonly values: Map<string, number>;
  yes: number;
  no: number;
}

/** Different values of a column that are counted one by one, and named in a message. */
const mostValues = 50;
const mostNamed = 6;
/** Columns that are looked at: rows of JSON may each have names of their own. */
const mostColumns = 2000;

const nothing: RowConsent = { says: undefined, isMissing: false };
const missing: RowConsent = { says: undefined, isMissing: true };

export type Consent = ReturnType<typeof createConsent>;

/**
 * Reads, row by row, which columns say who wants email, and what they say: by name and values together, since
 * a name such as "Status" may mean anything. What is certain can be used at once, and `end` throws a
 * `UsageError` for what is doubtful.
 */
export function createConsent(choices: ColumnChoices) {
  const columns = new Map<string, Column | undefined>();
  /** The columns of the last row that are looked at. */
  let last: { readonly names: readonly string[]; columns: readonly Column[] } | undefined;

  const columnOf = (name: string): Column | undefined => {
    if (columns.has(name)) return columns.get(name);
    if (columns.size >= mostColumns) return undefined;
    const kind = kindOf(name, choices);
    const column =
      kind === undefined
        ? undefined
        : { name, kind, counts: {}, values: new Map<string, number>(), yes: 0, no: 0 };
    columns.set(name, column);
    return column;
  };
  const note = (column: Column, cell: unknown): ConsentValue => {
    const value = consentValue(cell);
    column.counts[value] = (column.counts[value] ?? 0) + 1;
    if (column.kind === 'values' && value !== 'yes' && value !== 'no' && value !== 'empty') {
      // Its values are about something else.
      columns.set(column.name, undefined);
      last = undefined;
    } else if (value !== 'empty') {
      const text = shortened(String(cell), 40);
      const count = column.values.get(text) ?? 0;
      if (count > 0 || column.values.size < mostValues) column.values.set(text, count + 1);
    }
    return value;
  };

  return {
    /**
     * Whether a column is certainly about consent by its name alone, so that it is nothing else: then it is no
     * property of a contact.
     */
    isCertain: (name: string): boolean => {
      const kind = columnOf(name)?.kind;
      return kind !== undefined && isSure(kind);
    },
    /** What a row says. */
    row({ columns: names, scope }: Pick<ReadableRow, 'columns' | 'scope'>): RowConsent {
      // All rows of a CSV file have the same list of names.
      if (last?.names !== names) {
        last = { names, columns: names.flatMap((name) => columnOf(name) ?? []) };
      }
      if (last.columns.length === 0) return nothing;
      const cells = scope();
      let by: Column | undefined;
      let says: RowConsent['says'];
      let isMissing = false;
      for (const column of last.columns) {
        const said = meaningOf(column.kind, note(column, cells[column.name]));
        if (said === 'missing') isMissing = true;
        if (said !== 'yes' && said !== 'no') continue;
        column[said]++;
        if (says === 'no' && (said === 'yes' || !isStated(column.kind))) continue;
        says = said;
        by = column;
      }
      if (by === undefined) return isMissing ? missing : nothing;
      return { says, column: by.name, isStated: isStated(by.kind), isMissing: false };
    },
    /**
     * The columns that say who wants email, once all rows are read. Throws a `UsageError` for columns that may
     * say that, or that say it in values that cannot be read.
     */
    end(file: string, system: ShellSystem): readonly ConsentColumn[] {
      const all = [...columns.values()].filter((one) => one !== undefined);
      const doubtful = all.filter((one) => isDoubtful(one, choices.isConsentStated));
      if (doubtful.length > 0) throw doubt(doubtful, file, system);
      return all.filter(isUsed).map(({ name, kind, yes: said, no, counts }) => {
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
  const isData = name.startsWith('properties.');
  if (field !== undefined || isData || choices.isIgnored(name)) return undefined;
  if (asMeant(name) === 'subscribed') return 'subscribed';
  const kind = consentHeader(name) ?? 'values';
  // The command line says which column it is.
  return choices.isConsentStated && /^(perhaps|values)/.test(kind) ? undefined : kind;
}

function isStated(kind: Kind): boolean {
  return kind === 'subscribed' || kind.startsWith('stated');
}

/** Whether the name alone says that a column is about consent, and how. */
function isSure(kind: Kind): boolean {
  return ['positive', 'inverted', 'stated positive', 'stated inverted'].includes(kind);
}

/** What a value means in a column; `unreadable` if its column asks about consent and it is no answer. */
function meaningOf(
  kind: Kind,
  value: ConsentValue,
): 'yes' | 'no' | 'missing' | 'unreadable' | undefined {
  if (kind === 'values') return undefined;
  // Other statuses, such as `pending`, are also of orders: `isDoubtful` decides.
  if (kind === 'status') {
    if (value === 'transactional') return 'no';
    return value === 'yes' || value === 'no' ? value : undefined;
  }
  if (kind.endsWith('inverted')) {
    if (['true', 'date', 'no', 'transactional'].includes(value)) return 'no';
    return ['false', 'yes', 'empty', 'active'].includes(value) ? undefined : 'unreadable';
  }
  if (['yes', 'true', 'active', 'date'].includes(value)) return 'yes';
  if (['no', 'false', 'inactive', 'transactional'].includes(value)) return 'no';
  if (value === 'other') return 'unreadable';
  // An empty cell under `subscribed` leaves everything as it is.
  return kind === 'subscribed' && value === 'empty' ? undefined : 'missing';
}

function isDoubtful({ kind, counts, no, yes }: Column, isSettled: boolean): boolean {
  const { empty = 0, ...rest } = counts;
  const values = Object.keys(rest) as ConsentValue[];
  if (values.length === 0 || kind === 'subscribed') return false;
  const isUnreadable = values.some((value) => meaningOf(kind, value) === 'unreadable');
  if (isSure(kind)) return isUnreadable;
  if (kind === 'values') return counts.no !== undefined;
  const says = counts.yes !== undefined || counts.no !== undefined;
  if (kind === 'status') {
    const isOfEmails = counts.transactional !== undefined && !says;
    return !isSettled && (isOfEmails || (says && !isStatus(values)));
  }
  if (kind === 'likely positive') return isUnreadable && (yes + no + empty > 0 || says);
  return isUnreadable ? says : yes + no + (counts.pending ?? 0) > 0 || kind.endsWith('inverted');
}

/** Whether all values are statuses of a subscription. */
function isStatus(values: readonly ConsentValue[]): boolean {
  return values.every((value) => ['yes', 'no', 'active', 'transactional'].includes(value));
}

function isUsed({ kind, counts }: Column): boolean {
  if (kind === 'status') return counts.yes !== undefined || counts.no !== undefined;
  const isRead = Object.keys(counts).some((one) => one !== 'empty');
  if (kind === 'likely positive') return isRead && counts.other === undefined;
  return isRead && (isSure(kind) || kind === 'subscribed');
}

function doubt(columns: readonly Column[], file: string, system: ShellSystem): UsageError {
  const lines = columns.map((column) => {
    const { name, kind, values } = column;
    const about = isSure(kind)
      ? 'says who wants email, in words that mailer cannot read'
      : 'may say who wants email';
    return `${file}: the column ${JSON.stringify(name)} ${about}: ${valuesInWords(values)}.`;
  });
  const ways = columns.flatMap(({ name, kind }) => {
    const flag = (...words: string[]) => shellQuote(words, system);
    const isInverted = kind.endsWith('inverted');
    const wants = `If yes means that a person wants email: ${flag('--map', `subscribed=${name}`)}`;
    const not = `If yes means that a person does not want email: ${flag('--map', `unsubscribed=${name}`)}`;
    return [
      ...(isSure(kind)
        ? ['If it says that, write its values as yes and no.']
        : isInverted
          ? [not, wants]
          : [wants, not]),
      `If it means something else: ${flag('--ignore-column', name)}`,
    ];
  });
  return new UsageError(lines.join('\n'), { hint: ['Nothing was sent.', ...ways].join('\n') });
}

function valuesInWords(values: ReadonlyMap<string, number>): string {
  const named = [...values].map(([value, count]) => `${JSON.stringify(value)} (${grouped(count)})`);
  return withMore(named.slice(0, mostNamed), named.length).join(', ');
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
