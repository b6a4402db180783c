import * as z from 'zod';
import { email, emailListItem, sendBody } from '../../../../api/email.ts';
import { lenientObject } from '../../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../../base/json/readonly-infer.ts';
import { lastEventShape } from '../../../mail/email/last-event-shape.ts';
import { rowErrorCodes } from './row-error-codes.ts';

const text = z.string().nullable();

/** What `--json` shows of bulk runs. */

export const rowResult = lenientObject({
  row: z.int(),
  to: z.string().describe('the recipients'),
  redirectedTo: z
    .string()
    .exactOptional()
    .describe('who gets the email instead, if it is redirected'),
  emailId: z.string().exactOptional().describe('present if it was accepted'),
  error: lenientObject({
    code: z.enum(rowErrorCodes),
    message: z.string(),
    rule: z.string().exactOptional().describe('the rule of the policy that does not allow the row'),
    place: z.string().exactOptional().describe('where that rule is set'),
  })
    .exactOptional()
    .describe('present if it was not'),
  lastEvent: z
    .string()
    .nullable()
    .exactOptional()
    .describe('with --wait, in the file of --results: the status after the wait'),
  lastEventAt: z.string().nullable().exactOptional().describe('likewise: since when, ISO 8601'),
  reason: z
    .string()
    .nullable()
    .exactOptional()
    .describe('likewise: why it failed or is late, or what the receiving server said'),
});

export const runReply = lenientObject({
  run: z.string().describe('name of the run, for `mailer run get`'),
  rows: z.int().describe('rows of the file'),
  emails: z.int().describe('emails to send'),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int().describe('emails whose outcome is unknown'),
  accountState: z
    .string()
    .optional()
    .describe('`BLOCKED` if the account is blocked, so that accepted emails stay queued'),
  data: z.array(rowResult).optional().describe('absent if there are no rows to show'),
});

const count = z.int().exactOptional();

/** If a run cannot be read, only its name and size are known. */
export const shownRun = lenientObject({
  run: z.string(),
  state: z
    .enum(['complete', 'incomplete', 'sending', 'unreadable'])
    .describe('`sending` while another process sends it'),
  file: z.string().exactOptional().describe('absolute path, or `-`'),
  sending: z.int().optional().describe('1 for the first time, more with `--again`'),
  shard: z.string().optional().describe('`3/8`; absent for everything'),
  redirectedTo: z
    .string()
    .optional()
    .describe('who gets the emails instead, if they are redirected'),
  retryOf: z.string().optional().describe('the run whose rows it sends again'),
  retriedBy: z.array(z.string()).exactOptional().describe('`run get`: its retries, in order'),
  profile: z
    .string()
    .optional()
    .describe('the profile whose key last sent it; absent if the key was not of a profile'),
  baseUrl: z.string().exactOptional().describe('where it was last sent'),
  begunAt: z.string().exactOptional().describe('ISO 8601'),
  emails: count.describe('emails; of an import, contacts'),
  accepted: count,
  rejected: count,
  unknown: count,
  left: count,
  unanswered: count.describe('the part of `left` whose requests have no response yet'),
  bytes: z.int().describe('size on disk'),
});

/** An email as it would be sent. */
export const previewedEmail = lenientObject(sendBody.shape);

/** The same for a row of a file. */
export const previewed = lenientObject({ row: z.int(), ...sendBody.shape });

/** An email as the list shows it: with its status instead of its history. */
const followedInList = emailListItem.extend({
  latestStatus: z.string(),
});

/** Followed emails, as last shown by themselves or in the list; only the id of one that was never shown. */
export const followed = z.union([email, followedInList, z.strictObject({ id: z.string() })]);
export const followedReply = lenientObject({ data: z.array(followed) });

/** How far a row of a run is. */
export const delivery = lenientObject({
  row: z.number().describe('from 1'),
  to: z.string().describe('its recipients'),
  emailId: text.describe('null if the service has not accepted it'),
  status: z
    .string()
    .describe(
      'of its email, or why it has none, such as `invalid`; `UNLISTED` if it is not in the list',
    ),
  ...lastEventShape,
});

/** Rows that failed in the same way. */
const deliveryGroup = lenientObject({
  status: z.string(),
  reason: text.describe('in the words of one of them, without its address'),
  bounceType: text,
  rows: z.number(),
  to: z.array(z.string()).describe('recipients of the first 20'),
});

/** What became of the rows of a run. Each accepted email counts as one of delivered, waiting, bounced and failed. */
export const deliveries = lenientObject({
  run: z.string(),
  emails: z.number().describe('accepted by the service'),
  delivered: z.number().describe('delivered, whatever happened afterwards'),
  opened: z.number().describe('of these, opened or clicked'),
  complained: z.number().describe('of these, reported as unwanted'),
  bounced: z.number(),
  failed: z.number().describe('rejected, suppressed, cancelled, or failed in another way'),
  waiting: z.number().describe('scheduled, queued, sent or delayed'),
  unlisted: z.number().describe("not in the service's list"),
  unsent: z
    .number()
    .describe('rows that the service has not accepted, or whose outcome is unknown'),
  groups: z
    .array(deliveryGroup)
    .describe('rows that failed in the same way, the largest group first'),
});

export type RowResult = ReadonlyInfer<typeof rowResult>;
export type ShownRun = ReadonlyInfer<typeof shownRun>;
export type RowDelivery = ReadonlyInfer<typeof delivery>;
export type DeliveryGroup = ReadonlyInfer<typeof deliveryGroup>;
export type Deliveries = ReadonlyInfer<typeof deliveries>;
