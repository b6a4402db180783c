import { bareAddress } from '../../../../api/bare-address.ts';
import type { SendBody } from '../../../../api/email.ts';
import { operations } from '../../../../api/operations.ts';
import { UsageError } from '../../../base/errors.ts';
import { parseAddresses } from '../../../base/input/addresses.ts';
import type { BodyMaker } from '../../../mail/content/made-body.ts';
import type { Render } from '../../../mail/content/template.ts';
import { refuseFieldHeaders } from '../../../mail/email/write/field-headers.ts';
import type { TemplateInUse } from '../../../mail/email/write/template-in-use.ts';
import { recipientProblem } from '../../../people/consent/cell.ts';
import { likelyColumns } from '../../../people/rows/recipient-column.ts';
import type { InputRow, ReadableRow } from '../../../people/rows/row.ts';
import { checkInput } from '../../../service/http/check-request.ts';
import { allRecipients } from '../../../service/policy/redirect.ts';
import { passRow, type RowsAtGate } from './pass-row.ts';

/** What all rows have in common, and how to interpret the values of a row. */
export interface Common extends RowsAtGate {
  /** Fields of the request that a row may replace. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Values for a stored template that a row may replace one by one. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly render: Render;
  /** Whether the texts of rows may have placeholders, which nothing fills in. */
  readonly literal: boolean;
  /** Why the emails of a preview are not sent, if the texts of all rows are the cause. */
  readonly refused: UsageError | undefined;
  /** A stored template; undefined if the service does not show it, or if it is not to be looked at. */
  readonly template: (id: string) => Promise<TemplateInUse | undefined>;
  /** Makes HTML, and text from it, unless both are plain templates. */
  readonly body: BodyMaker | undefined;
  /** A time in the service's format. Throws a `UsageError` if it is in the past or not a time. */
  readonly scheduledTime: (text: string) => Promise<string>;
}

const listFields = ['to', 'cc', 'bcc', 'replyTo'] as const;

/**
 * The email of a row, checked against the contract: from what all rows have in common, the templates, and the
 * row's own fields, where later ones win. Throws a `UsageError` with everything that is wrong.
 */
export async function emailOfRow(given: InputRow, common: Common): Promise<SendBody> {
  if ('problem' in given) throw new UsageError(given.problem);
  const row = withValues(given, common.variables);
  const rendered = common.render(row);
  const body: Record<string, unknown> = { ...common.fields, ...row.fields, ...rendered };
  if (common.body !== undefined && row.fields.html === undefined) {
    if (given.fieldColumns !== undefined) common.body.refuseCells(given.scope());
    const subject = typeof body.subject === 'string' ? body.subject : '';
    const { html, text } = await common.body.make(row, subject);
    body.html = html;
    // The text of a stored template is not known here.
    if (body.templateId === undefined && text !== '') body.text ??= text;
  }
  refuseFieldHeaders(row.fields.headers, 'headers');
  for (const field of listFields) {
    const value = row.fields[field];
    if (typeof value === 'string')
      body[field] = addressesIn(value, field, row.fieldColumns?.get(field));
  }
  if (rendered.to !== undefined) body.to = parseAddresses([rendered.to], '--to');
  if (body.templateId === undefined) delete body.variables;
  else {
    const variables = row.variables();
    if (variables !== undefined || common.variables !== undefined) {
      body.variables = { ...common.variables, ...variables };
    }
  }
  const { scheduledAt } = row.fields;
  if (typeof scheduledAt === 'string') {
    body.scheduledAt = await common.scheduledTime(scheduledAt);
  }
  if (body.to === undefined) {
    const column = row.fieldColumns?.get('to') ?? 'to';
    if (column !== 'to') throw new UsageError(`the cell ${JSON.stringify(column)} is empty`);
    const cells = row.scope();
    const likely = likelyColumns(row.columns, () => [
      row.columns.map((name) => String(cells[name] ?? '')),
    ]).find((name) => /\S@\S/.test(String(cells[name])));
    const meant = likely === undefined ? '' : `; did you mean ${JSON.stringify(likely)}?`;
    throw new UsageError(`there is no recipient in "to"${meant}`);
  }
  if (body.text === undefined && body.html === undefined && body.templateId === undefined) {
    throw new UsageError('there is no text, HTML or template');
  }
  // Checked just now against the body of this operation.
  const email = checkInput(operations['email.send'], { body }).body as SendBody;
  const wrong = allRecipients(email).flatMap((one) => recipientProblem(one) ?? []);
  if (wrong.length > 0) throw new UsageError(wrong.join('; '));
  if (common.literal) return email;
  const template = email.templateId ? await common.template(email.templateId) : undefined;
  await passRow({ row, email, template, isToFilled: rendered.to !== undefined }, common);
  return email;
}

/** A row whose templates also have these values, which its own replace. */
export function withValues(row: ReadableRow, values: Common['variables']): ReadableRow {
  if (values === undefined) return row;
  return {
    ...row,
    scope: () => ({ ...values, ...row.scope() }),
    columns: [...row.columns, ...Object.keys(values)],
  };
}

/** The addresses in a cell. Columns such as the country code "CC" are often no addresses. */
function addressesIn(
  value: string,
  field: string,
  column: string | undefined,
): ReturnType<typeof parseAddresses> {
  try {
    return parseAddresses([value], field);
  } catch (error) {
    if (!(error instanceof UsageError) || column === undefined || field === 'to') throw error;
    const ignore = `--ignore-column ${/^[\w-]+$/.test(column) ? column : JSON.stringify(column)}`;
    throw new UsageError(`${error.message}; if this column has no addresses: ${ignore}`);
  }
}

/** The recipients of an email, for comparing: addresses without display names, without case. */
export function bareRecipients({ to }: Pick<SendBody, 'to'>): readonly string[] {
  return typeof to === 'string' ? [bareAddress(to)] : to.map(bareAddress);
}

/** The same as one text, in any order. */
export function recipientKey(email: Pick<SendBody, 'to'>): string {
  return [...bareRecipients(email)].sort().join(',');
}

/** The recipients of an email, for messages. */
export function recipientsInWords({ to }: Pick<SendBody, 'to'>): string {
  return typeof to === 'string' ? to : to.join(', ');
}
