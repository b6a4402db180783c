import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';
import { errorCode } from './account.ts';

/** What `--json` shows of requests and responses themselves. */

/** Any JSON. */
export const anything = z.unknown();

/** The error object on stderr. */
export const errorDocument = lenientObject({
  error: lenientObject({
    code: errorCode,
    message: z
      .string()
      .describe('a sentence for people; cut after 2,000 characters if it is from the service'),
    status: z.int().optional().describe('HTTP status of the response'),
    apiCode: z.string().optional().describe("the service's own code, such as `NOT_UNIQUE`"),
    issues: z
      .array(
        lenientObject({
          path: z.array(z.union([z.string(), z.int()])).describe('as in the request body'),
          message: z.string(),
        }),
      )
      .optional()
      .describe(
        'from a service, the first 64 KiB; the last one then says how many more there were',
      ),
    rule: z
      .string()
      .optional()
      .describe('with `policy` and `approval_needed`: the rule, such as `allow-to`'),
    place: z
      .string()
      .optional()
      .describe('with `policy` and `approval_needed`: where the rule is set'),
    addresses: z
      .array(z.string())
      .optional()
      .describe(
        'with `policy` and `approval_needed`: the addresses that it is about, at most 1,000',
      ),
    unreachableSince: z
      .string()
      .optional()
      .describe('of a wait: since when the service has not responded, ISO 8601'),
    last: z
      .string()
      .nullable()
      .optional()
      .describe('with `unreachableSince`: the last known status; null if there is none'),
    hint: z.string().optional().describe('what to do next, as a sentence'),
    next: z
      .array(z.string())
      .optional()
      .describe(
        'the command of the hint, word by word, if it is one and only reads: safe to run as it stands',
      ),
    requestId: z.string().optional(),
    idempotencyKey: z
      .string()
      .optional()
      .describe('the key with which the request can be repeated safely'),
    ids: z
      .array(z.string())
      .optional()
      .describe('the ids of what was changed or sent before the error'),
    run: z.string().optional().describe('the bulk run that was carried out before the error'),
    outbox: z
      .string()
      .optional()
      .describe('with `approval_needed`: the id of the entry that was stored in place of sending'),
  }),
});

/** A whole response, with `api --include`. */
export const wholeAnswer = lenientObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown().describe('unmodified; a string if it is not JSON, null if it is empty'),
});

/** A message of the Model Context Protocol. */
export const protocolMessage = lenientObject({ jsonrpc: z.literal('2.0') });

export const skillReply = lenientObject({ page: z.string().describe('Markdown') });

export type SkillReply = z.infer<typeof skillReply>;

export const completionReply = lenientObject({
  shell: z.string(),
  script: z.string(),
});

export type CompletionReply = z.infer<typeof completionReply>;
