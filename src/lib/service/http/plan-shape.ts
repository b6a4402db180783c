import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';

/** What `--json` shows of a request that was not sent. */
const plainRequest = lenientObject({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('without the key'),
  body: z.unknown().optional().describe('absent if the request has none'),
});

/** The digest of one request or of a plan. */
export const digestShape = z
  .string()
  .optional()
  .describe(
    'for `--expect`; absent if nothing is changed, or if it is known only once names are looked up',
  );

/** What a policy makes of a request. */
const policyVerdict = lenientObject({
  places: z.array(z.string()).describe('where its rules are set'),
  redirectedFor: z
    .array(z.string())
    .describe('the original recipients, if emails are redirected; at most 1,000'),
  unchecked: z.string().nullable().describe('what is checked only when it is sent, as a sentence'),
  approval: z
    .string()
    .nullable()
    .describe('why a person is asked to approve it, as a sentence; null if nobody is'),
});

/** The same as above, with what depends on the other requests and on the policy. */
const shownRequest = lenientObject({
  ...plainRequest.shape,
  digest: digestShape,
  policy: policyVerdict
    .optional()
    .describe('how the policy applies to the request; absent if there are no rules'),
});

/** What `--dry-run` shows of all requests of a command. */
export const planShape = {
  requests: z
    .array(plainRequest)
    .describe('all requests, in order; of a file with many rows, the first of each kind'),
  effect: z.string().describe('in words, such as `deletes 1 domain`'),
  counts: z
    .record(z.string(), z.number().nullable())
    .describe('how many of each, over all requests; null if counting would take another request'),
};

/** What `--dry-run` shows instead of sending it: the first request, and the plan. */
export const dryRunDocument = lenientObject({
  ...shownRequest.shape,
  others: z.array(shownRequest).exactOptional().describe('other requests of the command'),
  ...planShape,
});

export type PlainRequest = ReadonlyInfer<typeof plainRequest>;
export type PolicyVerdict = ReadonlyInfer<typeof policyVerdict>;
export type ShownRequest = ReadonlyInfer<typeof shownRequest>;
export type DryRunDocument = ReadonlyInfer<typeof dryRunDocument>;
export type PlanDocument = Pick<DryRunDocument, 'requests' | 'effect' | 'counts' | 'digest'>;
