import { UsageError } from '../../base/errors.ts';
import { asMeant, isAddressName, variable } from '../../base/text/column-names.ts';
import { shortened } from '../../base/text/shortened.ts';
import { isTemplateVariable } from '../../base/text/variable-name.ts';
import type { Context } from '../../command-line/command/context.ts';
import { sameCommand } from '../../command-line/command/repeat-command.ts';
import { type ColumnChoices, isConsentField } from './column-choices.ts';
import { type FirstRecords, type InputColumn, type ReadColumns, refuseTwice } from './columns.ts';
import { likelyColumns, recipientColumn, refuseAddressesAsConsent } from './recipient-column.ts';
import type { ReadableRow, Rows } from './row.ts';

/** Fields of a send request that fit into a cell. Column names match without case, `-`, `_` and blanks. */
export const fieldNames = [
  'to',
  'from',
  'subject',
  'templateId',
  'replyTo',
  'cc',
  'bcc',
  'text',
  'html',
  'scheduledAt',
  'inReplyToId',
] as const;

/** Fields that no cell can hold. */
const nestedFields = ['headers', 'attachments', 'variables'];

/**
 * The columns of a file of emails: each is a field of a send request, or a variable. Without a `context`, the command
 * line gives the recipients; else they are in a column, whose name is said unless it is "to".
 */
export function emailColumns(
  choices: ColumnChoices,
  context: Pick<Context, 'notes' | 'words' | 'system'> | undefined,
): ReadColumns {
  return (names, file, first) => {
    choices.see(names);
    const columns = names.map((one) => columnOf(one, choices));
    refuseTwice(columns, file, context?.system);
    const keys = columns.map((column) => column.field ?? column.name);
    const nested = nestedFields.find((field) => keys.includes(field));
    if (nested !== undefined) {
      throw new UsageError(`${file}: a CSV column cannot hold ${nested}`, {
        hint: 'Every other column is a template variable. For nested values, write the rows as JSON.',
      });
    }
    if (keys.includes('to') || context === undefined) return columns;
    const others = names.filter((name) => !isSettled(name, choices));
    const taken = recipientColumn(others);
    if (taken === undefined) {
      refuseAddressesAsConsent(names, choices);
      throw noRecipients(names, file, first, context);
    }
    context.notes.say(`The recipients are in the column ${JSON.stringify(taken)}.`);
    return columns.map((column) => (column.name === taken ? { ...column, field: 'to' } : column));
  };
}

/** What a column provides. `--map` may give it a field, or a variable another name. */
function columnOf(name: string, choices: ColumnChoices): InputColumn {
  const mapped = choices.fieldOf(name);
  // A column about wanting email stays a variable.
  if (choices.isIgnored(name) || isConsentField(mapped)) {
    return { name, field: undefined, isVariable: isTemplateVariable(name) };
  }
  const field = fieldOf(mapped ?? name);
  const own = field === undefined ? (mapped ?? name) : name;
  return { name: own, field, isVariable: field === undefined && isTemplateVariable(own) };
}

function isSettled(name: string, choices: ColumnChoices): boolean {
  return choices.isIgnored(name) || choices.fieldOf(name) !== undefined;
}

/** Rows of JSON with the names that `--map` gives their keys, and without the meaning of those that are ignored. */
export async function* rowsUnder(choices: ColumnChoices, rows: Rows): Rows {
  for await (const row of rows) yield 'problem' in row ? row : rowUnder(choices, row);
}

function rowUnder(choices: ColumnChoices, row: ReadableRow): ReadableRow {
  if (row.fieldColumns !== undefined) return row;
  if (!row.columns.some((name) => isSettled(name, choices))) return row;
  const values = row.scope();
  const scope: Record<string, unknown> = Object.create(null);
  const fields: Record<string, unknown> = Object.create(null);
  const variables: Record<string, unknown> = { ...row.variables() };
  for (const name of row.columns) {
    if (values[name] === undefined) continue;
    const mapped = choices.fieldOf(name);
    const meant = mapped === undefined || isConsentField(mapped) ? name : mapped;
    scope[meant] = values[name];
    const field = fieldOf(meant);
    const isField = meant === name ? Object.hasOwn(row.fields, name) : field !== undefined;
    if (isField && !choices.isIgnored(name)) fields[field ?? meant] = values[name];
    else {
      delete variables[name];
      // One that is mapped is sent under any name, so that an error tells what is wrong with it.
      if (meant !== name || isTemplateVariable(name)) variables[meant] = values[name];
    }
  }
  // `columns` stay as they are: what the command line says is about these.
  return { ...row, fields, scope: () => ({ ...values, ...scope }), variables: () => variables };
}

function noRecipients(
  names: readonly string[],
  file: string,
  first: FirstRecords,
  context: Pick<Context, 'words' | 'system'>,
): UsageError {
  const columns = likelyColumns(names, first);
  const likely = columns.map(
    (one) => `\n${sameCommand(context, ['--to'], ['--to', variable(one)]).line}`,
  );
  return new UsageError(
    columns.length > 1
      ? `${file}: several columns may have the addresses: ${shortened(columns.join(', '))}`
      : `${file}: there is no column "to" in the header: ${shortened(names.join(', '))}`,
    {
      hint:
        likely.length > 0
          ? `To take the recipients from another column:${likely.join('')}`
          : 'The first line of a CSV file names the columns, such as: to,name',
    },
  );
}

/** Names that a column of people or emails often has; they show how a file separates its columns. */
export function isUsualName(name: string): boolean {
  const meant = asMeant(name);
  return (
    isAddressName(name) ||
    fieldsByPlainName.has(meant) ||
    /^(?:(?:first|last)?name|subscribed)$/.test(meant)
  );
}

const fieldsByPlainName: ReadonlyMap<string, string> = new Map(
  fieldNames.map((field) => [asMeant(field), field]),
);

function fieldOf(column: string): string | undefined {
  return fieldsByPlainName.get(asMeant(column));
}
