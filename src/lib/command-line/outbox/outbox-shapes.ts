import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';

/** What `--json` shows of the outbox. */

/** An entry: what a command would have sent, and how far it is. */
export const outboxEntry = lenientObject({
  id: z.string().describe('16 hexadecimal digits'),
  state: z
    .enum(['pending', 'approved', 'rejected', 'begun', 'sent', 'expired'])
    .describe('`begun`: its first request may have left; `outbox send` sends the rest'),
  command: z.string().describe('the command that prepared it, such as `email send`'),
  digest: z.string().describe('of exactly what is sent, and where to, as in a dry run'),
  profile: z.string().nullable(),
  baseUrl: z.string(),
  preparedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().describe('a day later: from then on, it is not begun'),
  from: z.string().nullable(),
  subject: z.string().nullable().describe('of the first email'),
  scheduledAt: z.string().nullable(),
  campaign: z.string().nullable().describe('the id of the campaign that it starts'),
  recipients: z
    .int()
    .describe('copies included; for a campaign, the subscribed contacts of its book'),
  domains: z
    .array(lenientObject({ domain: z.string(), recipients: z.int() }))
    .describe('of the recipients, the largest first, at most 20'),
  first: z.array(z.string()).describe('the first recipients, at most 5'),
  findings: z.array(z.string()).describe('what the command warned of'),
  why: z.string().nullable().describe('the rule of the policy that asks for approval'),
  run: z.string().nullable().describe('the bulk run that it becomes'),
  ids: z.array(z.string()).describe('what was created, once it is sent'),
});

export type OutboxEntry = ReadonlyInfer<typeof outboxEntry>;

/** An entry with its request. */
export const outboxDetail = lenientObject({
  ...outboxEntry.shape,
  request: lenientObject({
    method: z.string(),
    path: z.string(),
    body: z.unknown().optional(),
    idempotencyKey: z.string().nullable(),
  })
    .nullable()
    .describe('the request that is sent; null for a bulk run, whose journal has them'),
});

export type OutboxDetail = ReadonlyInfer<typeof outboxDetail>;

/** What is stored of an entry. It never changes; how far it is stands beside it. */
export const keptEntry = z.strictObject({
  ...outboxEntry.shape,
  state: z.literal('pending'),
  version: z.literal(1),
  /** A digest of the account's key, which cannot be made without it. */
  account: z.string(),
  request: z
    .strictObject({
      method: z.string(),
      path: z.string(),
      body: z.string().optional(),
      idempotencyKey: z.string().nullable(),
    })
    .nullable(),
  /** For a bulk run, where its journal goes and the digest of its bytes. */
  journal: z.strictObject({ directory: z.string(), digest: z.string() }).nullable(),
  /** For a campaign that the service has, what a recipient gets of it, and its status. */
  campaignDigest: z.string().nullable(),
  /** Whether the command line asks to send again what was sent: `--again` or `--allow-duplicate`. */
  isAgain: z.boolean(),
  /** Of the content alone, to tell what changed. */
  content: z.string(),
});

export type KeptEntry = ReadonlyInfer<typeof keptEntry>;

/** What a request mails, as who approves it sees it. */
export type Described = Pick<
  KeptEntry,
  'from' | 'subject' | 'scheduledAt' | 'campaign' | 'recipients' | 'domains' | 'first'
> &
  Pick<KeptEntry, 'campaignDigest' | 'content'>;

/** How far an entry is. */
export const keptState = z.strictObject({
  state: z.enum(['approved', 'rejected', 'begun', 'sent']),
  /** Milliseconds since 1970. */
  at: z.number(),
  /** The digest of the stored entry that was approved. */
  entry: z.string(),
  ids: z.array(z.string()),
  /** The directory of its run, once it begins. */
  run: z.string().optional(),
});

export type KeptState = ReadonlyInfer<typeof keptState>;
