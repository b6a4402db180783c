import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';

/** What `--json` shows of the sandbox. */

export const startReply = lenientObject({
  url: z.string().describe('URL of the inbox'),
  baseUrl: z.string().describe('for `MAILER_BASE_URL`'),
  port: z.int(),
  smtpPort: z.int().optional().describe('with `--smtp-port`'),
  smtpUrl: z.string().optional().describe('with `--smtp-port`'),
  smtpCertificate: z
    .string()
    .optional()
    .describe('with `--smtp-tls`: the file with the certificate, which clients may trust'),
  dnsPort: z.int().optional().describe('with `--dns-port`'),
  apiKey: z.string(),
});

export const statusReply = lenientObject({
  directory: z.string().describe('absolute path'),
  bytes: z.int().describe('size on disk; 0 before the first use'),
  running: z.boolean().describe('whether it is running'),
  url: z.string().nullable().describe('URL of the inbox; null if it is not running'),
  baseUrl: z.string().nullable(),
  smtpPort: z.int().nullable().describe('null without `--smtp-port`'),
  dnsPort: z.int().nullable().describe('null without `--dns-port`'),
  now: z.string().describe('time of its clock, ISO 8601'),
  aheadMs: z.number().describe('how far its clock is ahead, in milliseconds'),
  waiting: z.int().describe('emails that wait for an SMTP server'),
  accounts: z.array(z.string()).describe('names of the test accounts'),
});

export const advanceReply = lenientObject({
  from: z.string().describe('ISO 8601'),
  now: z.string().describe('ISO 8601'),
  emails: z.int().describe('emails sent'),
  events: z.int().describe('events added'),
  campaigns: z.int().describe('campaigns finished'),
  contacts: z.int().describe('contacts of bulk requests stored'),
  domains: z.int().describe('verifications ended'),
  idempotencyKeys: z.int().describe('idempotency keys deleted'),
});

/** One request to the sandbox. */
export const logRow = lenientObject({
  at: z.string().describe('ISO 8601, by the clock of the sandbox'),
  method: z.string(),
  path: z.string().describe('with its query; keys are hidden'),
  status: z.int().nullable().describe('null if the connection was closed without a response'),
  milliseconds: z.number().describe('until the response'),
  reason: z.string().nullable().describe('why it was rejected, or its fault'),
});

/** A message that arrived, with what a test looks for in it. */
export const arrival = lenientObject({
  id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  replyTo: z.array(z.string()),
  subject: z.string(),
  status: z.string(),
  createdAt: z.string().describe('ISO 8601, by the clock of the sandbox'),
  text: z.string().nullable(),
  html: z.string().nullable(),
  headers: z.record(z.string(), z.string()).describe('those that the sender added'),
  attachments: z
    .array(lenientObject({ filename: z.string(), size: z.int(), path: z.string() }))
    .describe('`size` in bytes, `path` on the server'),
  links: z.array(lenientObject({ url: z.string(), text: z.string(), unsubscribes: z.boolean() })),
  codes: z
    .array(lenientObject({ code: z.string(), named: z.boolean() }))
    .describe('`named` if words beside it say that it is a code'),
  code: z.string().nullable().describe('the code, if it is clear which one is meant'),
});

/** What `--code` and `--link` print. */
export const codeReply = lenientObject({ code: z.string(), messageId: z.string() });
export const linkReply = lenientObject({ url: z.string(), messageId: z.string() });

export const resetReply = lenientObject({ directory: z.string().describe('absolute path') });
export const exportReply = lenientObject({ file: z.string() });
export const openReply = lenientObject({ url: z.string() });

/** How many entries of each list were stored. */
export const seedReply = lenientObject({
  domains: z.int(),
  dnsRecords: z.int(),
  books: z.int(),
  contacts: z.int(),
  segments: z.int(),
  templates: z.int(),
  campaigns: z.int(),
  messages: z.int(),
  suppressions: z.int(),
  reputationEvents: z.int(),
});

/** A handler to which the sandbox sends calls. */
export const webhookRow = lenientObject({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()).describe('empty for all that a service sends by itself'),
  temporary: z.boolean().describe('whether it is of `sandbox start --webhook`'),
  enabled: z.boolean().describe('false after 30 calls in a row that failed'),
  failures: z.int().describe('calls that failed in a row'),
  waiting: z.int().describe('calls that wait, also for their next attempt'),
  delivered: z.int(),
});

/** A call of the sandbox. */
export const webhookCall = lenientObject({
  id: z.string(),
  webhookId: z.string().describe('of the handler'),
  type: z.string().describe('the event'),
  createdAt: z.string().describe('ISO 8601, by the clock of the sandbox'),
  dueAt: z.string().nullable().describe('when the next attempt is due; null if there is none'),
  attempts: z.int(),
  delivered: z.boolean(),
  status: z.int().nullable().describe('of the last attempt; null if there was no response'),
  response: z.string().nullable().describe('the first 4,096 characters, or why there was none'),
  data: z.unknown().describe('as in the body of the call'),
});

export const webhookReply = lenientObject({ id: z.string() });

export type StartReply = z.infer<typeof startReply>;
export type StatusReply = z.infer<typeof statusReply>;
export type AdvanceReply = z.infer<typeof advanceReply>;
export type LogRow = z.infer<typeof logRow>;
export type ResetReply = z.infer<typeof resetReply>;
export type ExportReply = z.infer<typeof exportReply>;
export type OpenReply = z.infer<typeof openReply>;
export type SeedReply = z.infer<typeof seedReply>;
export type CodeReply = z.infer<typeof codeReply>;
export type LinkReply = z.infer<typeof linkReply>;
