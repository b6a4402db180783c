import { UsageError } from '../../../base/errors.ts';
import { grouped, quantity } from '../../../base/text/quantity.ts';
import { maxNames, withOverflowCount } from '../../../base/text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../../../base/text/shell-quote.ts';
import {
  aboutVariableName,
  isTemplateVariable,
  mapToVariables,
} from '../../../base/text/variable-name.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { type CellSays, Consent, type ConsentColumn } from '../../../people/consent/consent.ts';
import { toCheckInWords } from '../../../people/consent/to-check.ts';
import {
  type ColumnChoices,
  type ColumnFlags,
  columnChoices,
  isConsentField,
} from '../../../people/rows/column-choices.ts';
import type { InputRow, ReadableRow } from '../../../people/rows/row.ts';
import { addRow, rowsInWords, type SomeRows } from '../../../people/rows/row-findings.ts';
import { toEverybody } from './contradictions.ts';
import { createNearFields } from './near-fields.ts';

interface RowColumnsFlags extends ColumnFlags {
  readonly skipOptedOut?: true | undefined;
}

/** Why a row is not sent. */
export interface Unwanted {
  /** Whether its people do not want email; else they did not say that they do. */
  readonly isNo: boolean;
  readonly problem: string;
}

/** A row, as its columns say. */
export interface TakenRow {
  /** Why it is left out; undefined if it is sent. */
  readonly unwanted?: Unwanted | undefined;
  /** What its columns say about wanting email, for `count`. */
  readonly cells?: readonly CellSays[] | undefined;
}

/** Rows that are not sent for the same reason. */
interface UnwantedRows extends Unwanted, SomeRows {
  readonly column: string;
}

export type RowColumns = ReturnType<typeof createRowColumns>;

/**
 * What the columns of a file of emails mean beyond the fields of an email: who does not want any, and which of the
 * command line's values they replace. `explicit` has the flag of each field that the command line gives, and `used` the
 * names that its templates take from rows.
 */
export function createRowColumns(
  flags: RowColumnsFlags,
  explicit: ReadonlyMap<string, string>,
  used?: ReadonlySet<string>,
) {
  const choices = columnChoices(flags);
  const consent = new Consent(choices, { isWritten: (name) => used?.has(name) === true });
  const nearFields = createNearFields(choices, used);
  const unwanted = new Map<string, UnwantedRows>();
  const overruled = new Map<string, { column: string; rows: number }>();
  let taken = 0;
  let isCsv = false;
  /** A row that a stored template is for. */
  let withTemplate: ReadableRow | undefined;
  const note = (column: string, isNo: boolean, row: number): Unwanted => {
    const problem = `${JSON.stringify(column)} ${isNo ? 'says no' : 'has no answer'}`;
    return addRow(unwanted, problem, row, { column, isNo, problem });
  };
  return {
    choices,
    /** Takes the next row. */
    take(row: InputRow): TakenRow {
      taken++;
      if ('problem' in row) {
        consent.unreadable(row);
        return {};
      }
      choices.see(row.ahead ?? row.columns);
      nearFields.take(row);
      isCsv = row.fieldColumns !== undefined;
      if (explicit.has('templateId') || row.fields.templateId !== undefined) withTemplate ??= row;
      for (const field of explicit.keys()) {
        const column = row.fieldColumns?.get(field);
        if (column === undefined || row.fields[field] === undefined) continue;
        const rows = (overruled.get(field)?.rows ?? 0) + 1;
        overruled.set(field, { column, rows });
      }
      const { says, lacks, column = '', cells } = consent.row(row);
      if (says !== 'no' && lacks === undefined) return { cells };
      const why = note(column, says === 'no', row.number);
      return { cells, unwanted: flags.skipOptedOut === true ? why : undefined };
    },
    /** Counts a row that is sent, or left out because of what it says. */
    count: ({ cells }: TakenRow) => consent.count(cells),
    /**
     * The columns that say who wants email, once all rows are taken. Throws a `UsageError` if people do not want email,
     * or did not say that they do, if that is doubtful, or if a column overrules a flag in every row.
     */
    end(file: string, context: Pick<Context, 'system' | 'notes'>): readonly ConsentColumn[] {
      const { system } = context;
      choices.refuseUnseen(file);
      const { columns, toCheck } = consent.end(file, context);
      const said = nearFields.end(file, withTemplate !== undefined, system);
      for (const line of said) context.notes.say(line);
      if (isCsv) refuseOverruled(file, { explicit, overruled, taken, system });
      const all = [...unwanted.values()];
      const people = all.reduce((sum, { count }) => sum + count, 0);
      if (people > 0 && (flags.skipOptedOut !== true || people === taken)) {
        throw refusal(all, { file, people, taken, system });
      }
      if (isCsv && withTemplate !== undefined) {
        const wrong = wrongVariables(withTemplate, choices).filter(
          (name) => !(consent.isCertain(name) || columns.some((one) => one.name === name)),
        );
        refuseVariables(file, wrong, system);
      }
      context.notes.say(...toCheckInWords(toCheck));
      return columns;
    },
  };
}

function refusal(
  all: readonly UnwantedRows[],
  { file, people, taken, system }: Refused,
): UsageError {
  const lines = all.map((one) => `${one.problem} in ${rowsInWords(one)}`);
  const no = `${people === 1 ? 'does' : 'do'} not want email`;
  const who = all.every(({ isNo }) => isNo)
    ? no
    : all.some(({ isNo }) => isNo)
      ? `${no}, or did not say that they do`
      : 'did not say that they want email';
  const columns = [...new Set(all.map(({ column }) => column))];
  const ignore = columns.flatMap((column) => ['--ignore-column', column]);
  const skip = people === taken ? '' : ' To send to the others: --skip-opted-out';
  return new UsageError(
    `${file}: ${grouped(people)} of ${quantity(taken, 'row')} ${people === 1 ? 'is for a person' : 'are for people'} who ${who}:\n${lines.join('\n')}`,
    {
      hint: `Nothing was sent.${skip}\n${toEverybody(ignore, system)}`,
    },
  );
}

/** The columns that would be variables if a placeholder could have their names. */
function wrongVariables({ columns, fieldColumns }: ReadableRow, choices: ColumnChoices): string[] {
  const fields = new Set(fieldColumns?.values());
  return columns.filter(
    (name) =>
      !(name === '' || isTemplateVariable(name) || fields.has(name)) &&
      !(choices.isIgnored(name) || isConsentField(choices.fieldOf(name))),
  );
}

function refuseVariables(file: string, names: readonly string[], system: ShellSystem): void {
  if (names.length === 0) return;
  const lines = names.slice(0, maxNames).map((name) => `${file}: ${aboutVariableName(name)}`);
  const ignore = shellQuote(
    names.flatMap((name) => ['--ignore-column', name]),
    system,
  );
  throw new UsageError(withOverflowCount(lines, names.length).join('\n'), {
    hint: [
      'Nothing was sent.',
      `To send ${names.length === 1 ? 'it under another name' : 'them under other names'}: ${mapToVariables(names, system)}`,
      `If the template has no such ${names.length === 1 ? 'placeholder' : 'placeholders'}: ${ignore}`,
    ].join('\n'),
  });
}

interface Refused {
  readonly file: string;
  readonly people: number;
  /** All rows. */
  readonly taken: number;
  readonly system: ShellSystem;
}

interface Overruled {
  readonly explicit: ReadonlyMap<string, string>;
  readonly overruled: ReadonlyMap<string, { readonly column: string; readonly rows: number }>;
  readonly taken: number;
  readonly system: ShellSystem;
}

function refuseOverruled(file: string, { explicit, overruled, taken, system }: Overruled): void {
  const always = [...overruled].filter(([, { rows }]) => rows === taken);
  if (always.length === 0) return;
  const lines = always.map(
    ([field, { column }]) =>
      `${file}: the column ${JSON.stringify(column)} would replace ${explicit.get(field)} in every row`,
  );
  const ignore = always.flatMap(([, { column }]) => ['--ignore-column', column]);
  const flags = always.map(([field]) => explicit.get(field)).join(' and ');
  throw new UsageError(lines.join('\n'), {
    hint: `Nothing was sent. To use ${always.length === 1 ? 'the column' : 'the columns'}, leave out ${flags}. To use ${flags}: ${shellQuote(ignore, system)}`,
  });
}
