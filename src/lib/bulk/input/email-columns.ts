import { UsageError } from '../../errors.ts';
import { shortened } from '../../text/shortened.ts';
import { type ReadColumns, refuseTwice } from './columns.ts';
import { asMeant, likelyColumns, type Recipients, recipientColumn } from './recipient-column.ts';

/** Fields of a send request that fit into a cell. Column names match without case, `-`, `_` and blanks. */
const fieldNames = [
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

/** The columns of a file of emails: each is a field of a send request, or a variable. */
export function emailColumns(recipients: Recipients): ReadColumns {
  return (names, file) => {
    const columns = names.map((one) => {
      const field = fieldOf(one);
      return { name: one, field, isVariable: field === undefined };
    });
    refuseTwice(columns, file);
    const keys = columns.map((column) => column.field ?? column.name);
    const nested = nestedFields.find((field) => keys.includes(field));
    if (nested !== undefined) {
      throw new UsageError(`${file}: a CSV column cannot hold ${nested}`, {
        hint: 'Every other column is a template variable. For nested values, write the rows as JSON.',
      });
    }
    if (keys.includes('to') || recipients.given) return columns;
    const taken = recipientColumn(names);
    if (taken === undefined) throw noRecipients(names, file, recipients);
    recipients.taken(taken);
    return columns.map((column) => (column.name === taken ? { ...column, field: 'to' } : column));
  };
}

function noRecipients(names: readonly string[], file: string, { lineFor }: Recipients): UsageError {
  const likely = likelyColumns(names).map((one) => `\n${lineFor(one)}`);
  return new UsageError(
    `${file}: there is no column "to" in the header: ${shortened(names.join(', '))}`,
    {
      hint:
        likely.length > 0
          ? `To take the recipients from another column:${likely.join('')}`
          : 'The first line of a CSV file names the columns, such as: to,name',
    },
  );
}

const fieldsByPlainName: ReadonlyMap<string, string> = new Map(
  fieldNames.map((field) => [asMeant(field), field]),
);

function fieldOf(column: string): string | undefined {
  return fieldsByPlainName.get(asMeant(column));
}
