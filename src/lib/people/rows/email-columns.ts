import { UsageError } from '../../base/errors.ts';
import { asMeant, isAddressName, variable } from '../../base/text/column-names.ts';
import { shortened } from '../../base/text/shortened.ts';
import { isTemplateVariable } from '../../base/text/variable-name.ts';
import type { Context } from '../../command-line/command/context.ts';
import { sameCommand } from '../../command-line/command/repeat-command.ts';
import { type ColumnChoices, isConsentField } from './column-choices.ts';
import { type FirstRecords, type InputColumn, type ReadColumns, refuseTwice } from './columns.ts';
import { likelyColumns, recipientColumn, refuseAddressesAsConsent } from './recipient-column.ts';

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
    const isText = choices.isIgnored(name);
    return { name, field: undefined, isVariable: isTemplateVariable(name), isText };
  }
  const field = emailFieldOf(mapped ?? name);
  const own = field === undefined ? (mapped ?? name) : name;
  return { name: own, field, isVariable: field === undefined && isTemplateVariable(own) };
}

/** Whether the command line says what a column means, or that it means nothing. */
export function isSettled(name: string, choices: ColumnChoices): boolean {
  return choices.isIgnored(name) || choices.fieldOf(name) !== undefined;
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

/** The field that a column means by its name. */
export function emailFieldOf(column: string): string | undefined {
  return fieldsByPlainName.get(asMeant(column));
}
