import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import { digestShape, planShape } from '../../service/http/plan-shape.ts';
import { change } from '../contact/contact-shapes.ts';
import { columnToCheck } from '../import/import-shape.ts';

/** What `--json` shows of a sync. */

export const difference = lenientObject({
  email: z.string(),
  action: z
    .enum(['add', 'change', 'unsubscribe', 'delete', 'keep'])
    .describe('`keep` for a contact that is not in the file'),
  changes: z.array(change).describe('empty for a new contact'),
});

/** Only in a dry run. */
const whenDryRun = {
  requests: planShape.requests.exactOptional(),
  effect: planShape.effect.exactOptional(),
  counts: planShape.counts.exactOptional(),
  digest: digestShape,
};

export const syncReply = lenientObject({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  missing: z.int().describe('contacts that are not in the file'),
  unsubscribed: z.int().describe('those of `missing` that were unsubscribed'),
  deleted: z.int().describe('those of `missing` that were deleted'),
  stayUnsubscribed: z.int().describe('contacts in the file who have unsubscribed, and stay so'),
  columnsToCheck: z
    .array(columnToCheck)
    .describe('columns that decide nothing, and whose values look as if they said who wants email'),
  ...whenDryRun,
  data: z.array(difference).describe('the contacts that differ'),
});
