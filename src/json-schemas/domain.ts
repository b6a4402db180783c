import * as z from 'zod';
import { domain } from '../api/domain.ts';
import { lenientObject } from '../api/lenient.ts';
import { deepVerdict } from '../lib/domains/domain/deep/deep-shapes.ts';
import { findings } from '../lib/domains/domain/findings-shapes.ts';
import type { Verified } from '../lib/domains/domain/verify-and-wait.ts';

/** What `--json` shows of checked DNS records. */

export const verifiedReply = lenientObject({
  outcome: z
    .enum(['success', 'failed', 'timeout', 'unreachable'])
    .describe('`unreachable`: the time was up while the service did not respond'),
  seconds: z.number().describe('since the start of the verification'),
  already: z
    .boolean()
    .describe('whether it was already verified, so that no verification was started'),
  unreachableSince: z
    .string()
    .nullable()
    .describe(
      'since when the service has not responded, ISO 8601; null if it responded to the end',
    ),
  domain: domain.describe('the last response'),
  dns: findings
    .nullable()
    .describe('null for a domain without records, and if the service is unreachable'),
  deep: deepVerdict.exactOptional().describe('with `--deep`, once it is verified'),
}) satisfies z.ZodType<Verified>;
