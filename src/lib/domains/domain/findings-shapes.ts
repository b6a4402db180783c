import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';

/** What `--json` shows of checked DNS records. */

const foundValues = z.array(z.string()).describe('all values of this type at this name');
const foundStatus = z
  .enum(['ok', 'missing', 'wrong', 'unknown'])
  .describe('`unknown`: it could not be looked up');
const problem = z.string().exactOptional().describe('a sentence');

export const finding = lenientObject({
  type: z.string(),
  name: z.string().describe('as in the response of the service'),
  fqdn: z.string().describe('the full name, without a trailing dot'),
  expected: z.string(),
  found: foundValues,
  status: foundStatus,
  required: z.boolean(),
  problem,
  via: z
    .array(z.string())
    .exactOptional()
    .describe('the aliases (CNAME) that were followed, in order'),
  answers: z
    .array(
      lenientObject({
        servers: z.array(z.string()),
        found: foundValues,
        status: foundStatus,
        problem,
      }),
    )
    .exactOptional()
    .describe('what each name server has, if they differ'),
});

export const findings = lenientObject({
  id: z.number().describe('id of the domain'),
  domain: z.string().describe('name of the domain'),
  ok: z.boolean().describe('whether all required records are certainly correct'),
  incomplete: z.boolean().describe('whether a record could not be looked up'),
  resolvers: z
    .array(
      lenientObject({
        source: z.enum(['given', 'authoritative', 'system', 'sandbox']),
        zone: z.string().exactOptional().describe('the zone of these name servers'),
        servers: z.array(z.string()),
      }),
    )
    .describe('the DNS servers that were queried'),
  records: z.array(finding),
});

export type Finding = ReadonlyInfer<typeof finding>;
export type ServerAnswer = NonNullable<Finding['answers']>[number];
export type Findings = ReadonlyInfer<typeof findings>;
