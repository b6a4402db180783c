import { bareAddress } from '../../../api/bare-address.ts';
import type { SendBody } from '../../../api/email.ts';
import { operations } from '../../../api/operations.ts';
import { UsageError } from '../../errors.ts';
import { checkInput, withinDepth } from '../../http/check.ts';
import { parseAddresses } from '../../input/addresses.ts';
import type { ReadableRow } from '../input/row.ts';
import type { RenderedPart, Templates } from './template.ts';

/** What all rows have in common, and how a row's own words are understood. */
export interface Common {
  /** Fields of the request that a row may replace. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Values for a stored template that a row may replace one by one. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly templates: Templates;
  /** A time as the service takes it. Throws a `UsageError` for the past, or for what is no time. */
  readonly scheduledTime: (text: string) => Promise<string>;
}

const listFields = ['to', 'cc', 'bcc', 'replyTo'] as const;

/** An email, and the same as JSON. */
export interface EmailOfRow {
  readonly email: SendBody;
  readonly json: string;
  /** The fields that are not rendered, as JSON. */
  readonly stated: string;
}

/**
 * The email of a row, checked against the contract: what all have in common, the templates over
 * the row, and the row's own fields, each winning over the one before. Throws a `UsageError`
 * that says all that is wrong with it.
 */
export async function emailOfRow(row: ReadableRow, common: Common): Promise<EmailOfRow> {
  const rendered = common.templates.render(row.scope, row.fields);
  const rest: Record<string, unknown> = { ...common.fields, ...row.fields };
  for (const field of listFields) {
    const value = row.fields[field];
    if (typeof value === 'string') rest[field] = parseAddresses([value], field);
  }
  if (rest.templateId === undefined) delete rest.variables;
  else if (row.variables !== undefined || common.variables !== undefined) {
    rest.variables = { ...common.variables, ...row.variables };
  }
  if (typeof rest.scheduledAt === 'string') {
    rest.scheduledAt = await common.scheduledTime(rest.scheduledAt);
  }
  const body = { ...rest };
  for (const { part, text } of rendered) body[part] = text;
  if (body.text === undefined && body.html === undefined && body.templateId === undefined) {
    throw new UsageError('there is neither a text, nor HTML, nor a template');
  }
  const checked = checkInput(operations['email.send'], { body }, { mayHoldNul: false });
  // The body of the operation that it has just been checked against.
  const email = checked.body as SendBody;
  const stated = withinDepth(() => jsonOfOthers(email, rendered));
  const json = withRendered(stated, rendered);
  // To look at each string for itself takes longer.
  if (json.includes('\\u0000')) checkInput(operations['email.send'], { body });
  return { email, json, stated };
}

/** The JSON of what is not rendered. */
function jsonOfOthers(email: SendBody, rendered: readonly RenderedPart[]): string {
  const rest: Record<string, unknown> = { ...email };
  for (const { part } of rendered) rest[part] = undefined;
  return JSON.stringify(rest);
}

/** The JSON of an email: what is rendered is JSON already, and most of its length. */
function withRendered(stated: string, rendered: readonly RenderedPart[]): string {
  // There is a recipient in it.
  let all = stated.slice(0, -1);
  for (const { part, json } of rendered) all += `,"${part}":"${json}"`;
  return `${all}}`;
}

/** Whom an email goes to, for comparing: addresses without display names, without case, sorted. */
export function recipientKey({ to }: Pick<SendBody, 'to'>): string {
  return typeof to === 'string' ? bareAddress(to) : to.map(bareAddress).sort().join(',');
}

/** Whom an email goes to, for people. */
export function recipientsInWords({ to }: Pick<SendBody, 'to'>): string {
  return typeof to === 'string' ? to : to.join(', ');
}
