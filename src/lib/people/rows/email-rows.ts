import { isTemplateVariable } from '../../base/text/variable-name.ts';
import { type ColumnChoices, isConsentField } from './column-choices.ts';
import { emailColumns, emailFieldOf, isSettled } from './email-columns.ts';
import type { OpenInput } from './open-input.ts';
import { readRows } from './read-rows.ts';
import type { ReadableRow, Rows } from './row.ts';

/**
 * The rows of a file of emails, with what the command line says about its columns: see `emailColumns` and `readRows`.
 */
export async function* readEmailRows(
  input: OpenInput,
  choices: ColumnChoices,
  context: Parameters<typeof emailColumns>[1],
): Rows {
  const rows = await readRows(input, emailColumns(choices, context), choices.isLeftOut);
  for await (const row of rows) yield 'problem' in row ? row : rowUnder(choices, row);
}

/** A row of JSON with the names that `--map` gives its keys, and without the meaning of those that are ignored. */
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
    const field = emailFieldOf(meant);
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
