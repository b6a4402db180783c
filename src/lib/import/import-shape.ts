import * as z from 'zod';
import { lenientObject } from '../../api/shown.ts';
import type { ReadonlyInfer } from '../json/readonly-infer.ts';

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
});

export type ImportNumbers = ReadonlyInfer<typeof importReply>;
