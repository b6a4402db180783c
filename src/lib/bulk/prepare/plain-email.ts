import { isPlainAddress } from '../../../api/address.ts';
import type { InputRow, ReadableRow } from '../input/row.ts';
import type { Common, EmailOfRow } from './email-of-row.ts';

/** An email as JSON, and the one address it goes to. */
export interface PlainEmail {
  readonly to: string;
  /** As `recipientKey` has it. */
  readonly key: string;
  readonly json: string;
}

/**
 * Makes the emails of most rows in a fraction of the time: those of rows that bring one address, and
 * values for templates. All else is the same in each of them, so that it is enough to have checked
 * the first.
 */
export interface PlainEmails {
  /** What `emailOfRow` would make of a row; undefined where only that can tell. */
  of(row: InputRow): PlainEmail | undefined;
  /** To be told of what `emailOfRow` has made of a row. */
  learn(row: ReadableRow, made: EmailOfRow): void;
}

export function createPlainEmails({ fields, templates }: Common): PlainEmails {
  /** What stands around an address. */
  let around: { readonly before: string; readonly after: string } | undefined;
  // A time may have passed by the next row; values that are sent are any row's own; and what needs a
  // request of its own is to be seen.
  const { scheduledAt, templateId, inReplyToId } = fields;
  const mayBePlain = [scheduledAt, templateId, inReplyToId].every((one) => one === undefined);
  return {
    of(row) {
      if (around === undefined || 'problem' in row) return undefined;
      const to = onlyAddress(row);
      if (to === undefined) return undefined;
      const rendered = templates.renderPlain(row.scope);
      if (rendered === undefined) return undefined;
      const json = `${around.before}${to}${around.after}${rendered}}`;
      // A NUL character, which is to be refused.
      return json.includes('\\u0000') ? undefined : { to, key: to.toLowerCase(), json };
    },
    learn(row, { stated }) {
      if (around !== undefined || !mayBePlain) return;
      const to = onlyAddress(row);
      if (to === undefined) return;
      const before = '{"to":"';
      // The contract's first field.
      if (!stated.startsWith(`${before}${to}"`)) return;
      around = { before, after: stated.slice(before.length + to.length, -1) };
    },
  };
}

/** The address of a row that brings no other field, as it stands in JSON too. */
function onlyAddress({ fields }: ReadableRow): string | undefined {
  for (const name in fields) {
    // Of use to a stored template only.
    if (name !== 'to' && name !== 'variables') return undefined;
  }
  const { to } = fields;
  return typeof to === 'string' && isPlainAddress(to) ? to : undefined;
}
