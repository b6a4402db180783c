import { Option } from '@commander-js/extra-typings';
import { UsageError } from '../../base/errors.ts';
import { asMeant } from '../../base/text/column-names.ts';
import { nearest } from '../../base/text/nearest.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';

/** Flags that say what the columns of a file mean. */
export const columnFlags = {
  map: () =>
    repeatableOption('--map <field=column>', 'column of a field, such as to="Work Email"; repeat'),
  ignoreColumn: () =>
    repeatableOption('--ignore-column <name>', 'take a column as data, whatever its name means'),
  onlyColumns: () =>
    repeatableOption('--only-columns <names>', 'use only these columns, separated by commas'),
  ignoreFileName: () =>
    new Option('--ignore-file-name', 'accept a file even if it is called "unsubscribes"'),
} as const satisfies Record<string, () => Option>;

export interface ColumnFlags {
  readonly map?: readonly string[];
  readonly ignoreColumn?: readonly string[];
  readonly onlyColumns?: readonly string[];
  readonly ignoreFileName?: true | undefined;
}

export type ColumnChoices = ReturnType<typeof columnChoices>;

/**
 * What the command line says about columns, by their names as written in the file. Throws a `UsageError` for a wrong
 * `--map`, and for a field or column named twice.
 */
export function columnChoices({
  map = [],
  ignoreColumn = [],
  onlyColumns,
  ignoreFileName,
}: ColumnFlags) {
  const only = onlyColumns?.flatMap((names) => names.split(',')).map((name) => name.trim());
  const fields = new Map<string, string>();
  const ignored = new Set(ignoreColumn.map((name) => name.trim()));
  for (const one of map) {
    const [, given = '', column = ''] =
      /^([^=]+)=(.*)$/s.exec(one)?.map((part) => part.trim()) ?? [];
    const field = consentFields.find((name) => name === asMeant(given)) ?? given;
    if (field === '' || column === '') {
      throw new UsageError(`--map: ${JSON.stringify(one)} is not of the form FIELD=COLUMN`, {
        hint: "For example: --map company_name='Company Name'",
      });
    }
    if (!isConsentField(field) && [...fields.values()].includes(field)) {
      throw new UsageError(`--map: two columns are given for ${field}`);
    }
    if (fields.has(column) || ignored.has(column)) {
      throw twoMeanings(column);
    }
    fields.set(column, field);
  }
  const columns = new Map([...fields].map(([column, field]) => [field, column]));
  const unseen = new Map<string, string>([
    ...[...fields.keys()].map((column) => [column, '--map'] as const),
    ...[...ignored].map((column) => [column, '--ignore-column'] as const),
    ...(only ?? []).map((column) => [column, '--only-columns'] as const),
  ]);
  const named = new Map<string, Map<string, string>>();
  const seen = new Set<string>();
  let last: readonly string[] | undefined;
  /** Takes `Status:C,active` for values of the column "Status", unless there is a column of that name. */
  const takeValues = (given: string, field: string, names: readonly string[]) => {
    if (names.includes(given)) return;
    const column = names
      .filter(
        (name) =>
          given.toLowerCase().startsWith(name.toLowerCase()) &&
          /^\s*:/.test(given.slice(name.length)),
      )
      .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
    if (column === '') return;
    if (ignored.has(column) || (fields.get(column) ?? field) !== field) throw twoMeanings(column);
    const values = given.slice(given.indexOf(':', column.length) + 1).split(',');
    const all = named.get(column) ?? new Map<string, string>();
    for (const value of values) all.set(value.trim().toLowerCase(), value.trim());
    named.set(column, all);
    fields.delete(given);
    fields.set(column, field);
    unseen.delete(given);
  };
  return {
    /** Whether the name of the file has no meaning. */
    isFileNameIgnored: ignoreFileName === true,
    /** Whether `--map` names a column that says who wants email. */
    isConsentStated: [...fields.values()].some(isConsentField),
    /** The field that `--map` names for a column. */
    fieldOf: (column: string) => fields.get(column),
    /** The column that `--map` gives this name. */
    columnNamed: (field: string) => columns.get(field),
    /** The values of a column that `--map` names, by themselves in lower case; undefined if it names none. */
    valuesOf: (column: string): ReadonlyMap<string, string> | undefined => named.get(column),
    /** Tells whether a column is not used at all; undefined if all are. */
    isLeftOut:
      only &&
      ((column: string): boolean => {
        // The error about a misspelt name looks among all of them.
        if (seen.size < mostSeen) seen.add(column);
        return !only.includes(column);
      }),
    /** The names of columns that are not used at all. */
    leftOut: (): readonly string[] =>
      only === undefined ? [] : [...seen].filter((name) => !only.includes(name)),
    /** Whether the name of a column has no meaning. */
    isIgnored: (column: string) => ignored.has(column),
    /** To be called with the columns of the file, or of each row. */
    see(columns: readonly string[]): void {
      if (unseen.size === 0 || columns === last) return;
      last = columns;
      for (const [given, field] of fields) {
        if (isConsentField(field) && unseen.has(given)) takeValues(given, field, columns);
      }
      for (const column of columns) {
        unseen.delete(column);
        if (seen.size < mostSeen) seen.add(column);
      }
    },
    /** Throws a `UsageError` if a column of the command line was not seen. */
    refuseUnseen(file: string): void {
      const [first] = unseen;
      if (first === undefined) return;
      const [column, flag] = first;
      const meant = nearest(column, [...seen]);
      throw new UsageError(`${flag}: ${file} has no column ${JSON.stringify(column)}`, {
        hint:
          meant === undefined
            ? `It has: ${quotedNames([...seen])}`
            : `Do you mean ${JSON.stringify(meant)}?`,
      });
    },
  };
}

function twoMeanings(column: string): UsageError {
  return new UsageError(`The column ${JSON.stringify(column)} is given two meanings`);
}

/** Whether a field of `--map` says who wants email. Several columns may. */
export function isConsentField(field: string | undefined): boolean {
  return field !== undefined && consentFields.includes(field);
}

const consentFields: readonly string[] = ['subscribed', 'unsubscribed'];

/** Different names that are remembered for the error: rows of JSON may each have their own. */
const mostSeen = 1000;

/** No choices: every column means what its name says. */
export const noChoices = columnChoices({});
