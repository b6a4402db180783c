import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import { handlerChecks } from './consequences.ts';

/** What `--json` shows of webhooks. */

export const eventRow = lenientObject({
  type: z.string(),
  sent: z.boolean().describe('whether services send it; false if it is only declared'),
  fields: z.array(z.string()).describe('names in `data` that are always there'),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of `data`'),
});

/** A call's body, as a handler gets it. */
export const callBody = lenientObject({
  id: z.string(),
  type: z.string(),
  version: z.string(),
  createdAt: z.string(),
  teamId: z.number(),
  data: z.looseObject({}),
  attempt: z.int(),
});

export const callVerdict = lenientObject({
  valid: z.boolean(),
  reason: z.string().nullable().describe('such as `SIGNATURE_MISMATCH`; null if it is valid'),
  type: z.string().nullable().describe('the event, from the header'),
  call: z.string().nullable().describe('the id, from the header'),
  sentAt: z.string().nullable().describe('ISO 8601, from the timestamp'),
});

/** A call and the handler's response. */
export const sentCall = lenientObject({
  id: z.string(),
  type: z.string(),
  url: z.string(),
  attempt: z.int(),
  delivered: z.boolean().describe('whether the status is 2xx'),
  status: z.int().nullable().describe('null if there was no response'),
  milliseconds: z.number(),
  response: z.string().describe('the first 4,096 characters, or why there was none'),
});

/** A call that `webhook listen` received. */
export const keptCall = lenientObject({
  id: z.string().describe('for `webhook get` and `webhook replay`'),
  receivedAt: z.string().describe('ISO 8601'),
  type: z.string().nullable().describe('the event, from the header'),
  call: z.string().nullable().describe('the id of the call, from the header'),
  attempt: z.int().nullable().describe('from the body'),
  reason: z.string().nullable().describe('why it is not valid; null if it is'),
  headers: z.array(z.array(z.string())).describe('pairs of name and value, as received'),
  body: z.string(),
  forwardedTo: z.string().nullable(),
  status: z.int().nullable().describe('of the response; null if the handler gave none'),
  milliseconds: z.number(),
  response: z.string().describe('the first 4,096 characters, or why there was none'),
});

/** What a check of a handler found. */
export const grade = lenientObject({
  check: z.enum(handlerChecks),
  // `risky` does not lose calls or let forged ones in, but should be known.
  outcome: z.enum(['ok', 'risky', 'failed']),
  answered: z.array(z.int().nullable()).describe('statuses; null where there was no response'),
  expected: z.string().describe('statuses of a good handler'),
  consequence: z.string().describe('what this leads to; empty if it is ok'),
  milliseconds: z.number().describe('until the slowest response'),
});

export type EventRow = z.infer<typeof eventRow>;
export type Verdict = z.infer<typeof callVerdict>;
export type SentCall = ReadonlyInfer<typeof sentCall>;
export type KeptCall = ReadonlyInfer<typeof keptCall>;
export type Grade = ReadonlyInfer<typeof grade>;
