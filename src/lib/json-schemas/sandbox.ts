import * as z from 'zod';

/** What `--json` shows of the embedded service. */

export const startReply = z.looseObject({
  url: z.string().describe('of its inbox'),
  baseUrl: z.string().describe('for `MAILER_BASE_URL`'),
  port: z.int(),
  apiKey: z.string(),
});

export const statusReply = z.looseObject({
  directory: z.string().describe('absolute'),
  bytes: z.int().describe('what its data takes on disk; 0 before the first use'),
  running: z.boolean().describe('whether it is being served'),
  url: z.string().nullable().describe('of its inbox, while it is being served'),
  baseUrl: z.string().nullable(),
  now: z.string().describe('what its clock shows, ISO 8601'),
  aheadMs: z.number().describe('by how much its clock is ahead, in milliseconds'),
  waiting: z.int().describe('emails that wait for an SMTP server'),
});

export const advanceReply = z.looseObject({
  from: z.string().describe('ISO 8601'),
  now: z.string().describe('ISO 8601'),
  emails: z.int().describe('that went out'),
  events: z.int().describe('that their histories got'),
  campaigns: z.int().describe('that were sent to their end'),
  domains: z.int().describe('whose verification ended'),
  idempotencyKeys: z.int().describe('that were forgotten'),
});

export const resetReply = z.looseObject({ directory: z.string().describe('absolute') });
export const exportReply = z.looseObject({ file: z.string() });
export const openReply = z.looseObject({ url: z.string() });

/** How many entries of each list were stored. */
export const seedReply = z.looseObject({
  domains: z.int(),
  books: z.int(),
  contacts: z.int(),
  templates: z.int(),
  campaigns: z.int(),
  messages: z.int(),
  suppressions: z.int(),
  reputationEvents: z.int(),
});

export type StartReply = z.infer<typeof startReply>;
export type StatusReply = z.infer<typeof statusReply>;
export type AdvanceReply = z.infer<typeof advanceReply>;
export type ResetReply = z.infer<typeof resetReply>;
export type ExportReply = z.infer<typeof exportReply>;
export type OpenReply = z.infer<typeof openReply>;
export type SeedReply = z.infer<typeof seedReply>;
