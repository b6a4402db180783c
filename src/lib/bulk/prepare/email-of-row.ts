import { bareAddress } from '../../../api/bare-address.ts';
import type { SendBody } from '../../../api/email.ts';
import { operations } from '../../../api/operations.ts';
import { fieldIn } from '../../../shared/placeholders.ts';
import { certainlyForeignIn } from '../../content/foreign-tags.ts';
import { type LocalUrl, localUrlLines, localUrlsIn } from '../../content/local-urls.ts';
import { lostCharacterLines, lostCharactersOf, replacing } from '../../content/lost-characters.ts';
import type { BodyMaker } from '../../content/made-body.ts';
import { nothingSeenIn } from '../../content/shows-nothing.ts';
import type { Render } from '../../content/template.ts';
import {
  type Unfilled,
  unfilledIn,
  unfilledInEnvelope,
  unfilledLines,
} from '../../content/unfilled.ts';
import { refuseFieldHeaders } from '../../email/write/field-headers.ts';
import type { TemplateInUse } from '../../email/write/template-in-use.ts';
import { UsageError } from '../../errors.ts';
import { checkInput } from '../../http/check-request.ts';
import { parseAddresses } from '../../input/addresses.ts';
import { likelyColumns } from '../../rows/recipient-column.ts';
import type { InputRow, ReadableRow } from '../../rows/row.ts';
import { nearest } from '../../text/nearest.ts';

/** What all rows have in common, and how to interpret the values of a row. */
export interface Common {
  /** Fields of the request that a row may replace. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Values for a stored template that a row may replace one by one. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly render: Render;
  /** Whether the texts of rows may have placeholders, which nothing fills in. */
  readonly literal: boolean;
  /** Whether readers see something of the HTML of the command line in every row. */
  readonly isHtmlSeen: boolean;
  /** Whether the values of a row decide where its images and links lead. */
  readonly hasUrlsOfRows: boolean;
  /** Whether links that only this machine can open stop nothing; that is said once. */
  readonly areLinksTried: (found: readonly LocalUrl[]) => Promise<boolean>;
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
  if (!common.literal) refusePlaceholders(row);
  const rendered = common.render(row);
  const body: Record<string, unknown> = { ...common.fields, ...row.fields, ...rendered };
  if (common.body !== undefined && row.fields.html === undefined) {
    const subject = typeof body.subject === 'string' ? body.subject : '';
    const { html, text } = await common.body.make(row, subject);
    body.html = html;
    // The text of a stored template is not known here.
    if (body.templateId === undefined && text !== '') body.text ??= text;
  }
  if (!common.literal) {
    await refuseLocal(row, common, body.html);
    if (body.templateId === undefined) {
      const isSeen = common.isHtmlSeen && row.fields.html === undefined;
      refuseNothing(isSeen ? { subject: body.subject } : body);
    }
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
  if (!common.literal) refuseLost(row, body);
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
  if (!common.literal) {
    const placeOf = (field: string) => row.fieldColumns?.get(field) ?? field;
    // The template of --to has filled in the recipients.
    const { to, ...others } = body;
    const filled = rendered.to === undefined ? body : others;
    refuseUnfilled(unfilledInEnvelope(filled, placeOf), 'in addresses and headers');
  }
  // Checked just now against the body of this operation.
  const email = checkInput(operations['email.send'], { body }).body as SendBody;
  const template = email.templateId && (await common.template(email.templateId));
  if (template) refuseLostIn(template.lost);
  if (template) refuseMissing(template, email.variables, given.columns);
  return email;
}

/** Throws a `UsageError` for placeholders of a stored template that have neither a value nor a fallback. */
function refuseMissing(
  template: TemplateInUse,
  variables: SendBody['variables'] = {},
  columns: readonly string[],
): void {
  const missing = template.unfilled(variables);
  if (missing.length === 0) return;
  const unused = columns.filter((name) => !template.names.has(name));
  const meant = missing.flatMap(({ written }) => {
    const name = fieldIn(written)?.name;
    if (name === undefined || columns.includes(name)) return [];
    const column = nearest(name, unused);
    return column === undefined ? [] : [`--map ${name}=${column}`];
  });
  const flags = [...new Set(meant)].join(' ');
  throw new UsageError(
    `nothing fills in the placeholders of the template: ${inOneLine(unfilledLines(missing))}; ${flags === '' ? 'give their values, or a fallback in the template' : `did you mean ${flags}?`}`,
  );
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

/** Throws a `UsageError` if a row's own subject or body has a placeholder: it is no template. */
function refusePlaceholders({ fields, fieldColumns }: ReadableRow): void {
  const found = (['subject', 'html', 'text'] as const).flatMap((field) => {
    const place = fieldColumns?.get(field) ?? field;
    const format = ({ subject: 'line', html: 'html', text: 'text' } as const)[field];
    return [
      ...unfilledIn(place, fields[field], format),
      ...certainlyForeignIn(place, fields[field], format),
    ];
  });
  refuseUnfilled(found, "in a row's own texts");
}

/** Throws a `UsageError` if a row's own HTML, or HTML made for it, has images or links that only this machine can open. */
async function refuseLocal(
  { fields: { html }, fieldColumns }: ReadableRow,
  { hasUrlsOfRows, areLinksTried }: Common,
  made: unknown,
): Promise<void> {
  const found =
    html !== undefined
      ? await localUrlsIn(fieldColumns?.get('html') ?? 'html', html)
      : hasUrlsOfRows
        ? (await localUrlsIn('the HTML of the row', made)).map((one) => ({
            ...one,
            line: undefined,
          }))
        : [];
  if (found.length === 0 || (await areLinksTried(found))) return;
  const images = found.filter(({ isLink }) => !isLink);
  throw new UsageError(
    images.length > 0
      ? `recipients cannot load these images: ${inOneLine(localUrlLines(images))}; put them on a web server, or send them as they are written: --literal`
      : `recipients cannot open these links: ${inOneLine(localUrlLines(found))}; to send them as they are written: --literal`,
  );
}

/** Throws a `UsageError` for an email in which readers see nothing, or no subject. */
function refuseNothing(body: Readonly<Record<string, unknown>>): void {
  const seen = nothingSeenIn(body);
  if (seen !== undefined) throw new UsageError(`${seen.problem}; to send it as it is: --literal`);
}

/** Throws a `UsageError` for characters that were lost before they came into the row or a template. */
function refuseLost({ fieldColumns }: ReadableRow, body: Readonly<Record<string, unknown>>): void {
  refuseLostIn(lostCharactersOf(body, (field) => fieldColumns?.get(field) ?? field));
}

function refuseLostIn(lost: ReturnType<typeof lostCharactersOf>): void {
  if (lost.length === 0) return;
  throw new UsageError(
    `characters were lost and replaced by ${replacing(lost)}: ${inOneLine(lostCharacterLines(lost))}; to send them as they are: --literal`,
  );
}

function refuseUnfilled(found: readonly Unfilled[], where: string): void {
  if (found.length === 0) return;
  throw new UsageError(
    `placeholders ${where} are not filled in: ${inOneLine(unfilledLines(found))}; to send them as they are written: --literal`,
  );
}

function inOneLine(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(', ');
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
