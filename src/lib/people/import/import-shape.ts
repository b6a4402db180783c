import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';

/** A column that may say who wants email, of any of its values. */
export const columnToCheck = lenientObject({
  name: z.string(),
  filled: z.int().describe('rows that have a value'),
  rows: z.int().describe('all rows'),
  values: z
    .array(lenientObject({ value: z.string(), rows: z.int() }))
    .optional()
    .describe(
      'its values, with the number of rows of each, of notes those that seem to say no; none for dates and other notes',
    ),
  holds: z.enum(['dates', 'notes']).optional(),
});

/** What `--json` shows of an import of contacts. */
export const importReply = lenientObject({
  contactBookId: z.string(),
  book: z.string().describe('its name'),
  rows: z.int().describe('rows of the file'),
  new: z.int(),
  changed: z.int(),
  unchanged: z.int().describe('rows that the book already had'),
  unsubscribed: z.int().describe('contacts that have unsubscribed, and stay unsubscribed'),
  skipped: z
    .int()
    .describe('rows that are not in the book, and left out because they have no consent'),
  duplicate: z.int().describe('rows with the address of a later one, with `--last-wins`'),
  invalid: z.int(),
  policy: z.int().describe('rows that the policy does not allow'),
  rejected: z.int(),
  missing: z.int().describe('contacts that were queued and did not arrive in time'),
  unknown: z.int().describe('contacts whose outcome is unknown'),
  columnsToCheck: z
    .array(columnToCheck)
    .describe('columns that decide nothing, and whose values look as if they said who wants email'),
});

export type ImportNumbers = ReadonlyInfer<typeof importReply>;
