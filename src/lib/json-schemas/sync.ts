import * as z from 'zod';
import type { Change } from '../contact/compare-contacts.ts';
import type { Difference } from '../sync/difference.ts';

/** What `--json` shows of a sync. */

const change = z.looseObject({
  field: z.string().describe('`firstName`, `lastName`, `subscribed`, or `properties.` and a name'),
  from: z.union([z.string(), z.boolean()]).nullable(),
  to: z.union([z.string(), z.boolean()]),
}) satisfies z.ZodType<Change>;

export const difference = z.looseObject({
  email: z.string(),
  action: z
    .enum(['add', 'change', 'unsubscribe', 'delete', 'keep'])
    .describe('`keep` for a contact that is not in the file'),
  changes: z.array(change).describe('empty for a new contact'),
}) satisfies z.ZodType<Difference>;

export const syncReply = z.looseObject({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  missing: z.int().describe('contacts that are not in the file'),
  unsubscribed: z.int().describe('those of `missing` that were unsubscribed'),
  deleted: z.int().describe('those of `missing` that were deleted'),
  stayUnsubscribed: z.int().describe('contacts in the file who have unsubscribed, and stay so'),
  data: z.array(difference).describe('the contacts that differ'),
});
