import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';

/** What `--json` shows of a request that was not sent. */
export const requestShape = {
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('without the key'),
  body: z.unknown().optional().describe('absent if the request has none'),
};

/** The digest of one request or of a plan. */
export const digestShape = z
  .string()
  .optional()
  .describe(
    'for `--expect`; absent if nothing is changed, or if it is known only once names are looked up',
  );

/** What `--dry-run` shows of all requests of a command. */
export const planShape = {
  requests: z
    .array(lenientObject(requestShape))
    .describe('all requests, in order; of a file with many rows, the first of each kind'),
  effect: z.string().describe('in words, such as `deletes 1 domain`'),
  counts: z
    .record(z.string(), z.number().nullable())
    .describe('how many of each, over all requests; null if counting would take another request'),
};
