import * as z from 'zod';
import { domain } from '../../api/domain.ts';
import type { Finding, Findings } from '../domain/findings.ts';
import type { Verified } from '../domain/wait.ts';

/** What `--json` shows of DNS records that were looked up. */

export const finding = z.looseObject({
  type: z.string(),
  name: z.string().describe('as the service gives it'),
  fqdn: z.string().describe('in full, without a dot at the end'),
  expected: z.string(),
  found: z.array(z.string()).describe('all values of this type under this name'),
  status: z
    .enum(['ok', 'missing', 'wrong', 'unknown'])
    .describe('`unknown`: DNS was not to be had'),
  required: z.boolean(),
  problem: z.string().exactOptional().describe('a sentence'),
  via: z.array(z.string()).exactOptional().describe('the names it is an alias of, in turn'),
}) satisfies z.ZodType<Finding>;

export const findings = z.looseObject({
  id: z.number().describe('of the domain'),
  domain: z.string().describe('its name'),
  ok: z.boolean().describe('whether all required records are as they should be'),
  resolvers: z
    .array(
      z.looseObject({
        source: z.enum(['given', 'authoritative', 'system']),
        zone: z.string().exactOptional().describe('that they are the name servers of'),
        servers: z.array(z.string()),
      }),
    )
    .describe('the servers that were asked'),
  records: z.array(finding),
}) satisfies z.ZodType<Findings>;

export const verifiedReply = z.looseObject({
  outcome: z.enum(['success', 'failed', 'timeout']),
  seconds: z.number().describe('from the start of the verification'),
  already: z
    .boolean()
    .describe('whether it was already verified, so that no verification was started'),
  domain: domain.describe('as it was last seen'),
  dns: findings.nullable().describe('null for a domain without records'),
}) satisfies z.ZodType<Verified>;
