import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import { origins } from './origin.ts';

/** What `--json` shows of DMARC reports. */

const counts = {
  messages: z.number(),
  aligned: z.number().describe('messages that pass DMARC, by DKIM or SPF'),
  dkimAligned: z.number(),
  spfAligned: z.number(),
  quarantined: z.number(),
  rejected: z.number(),
};

const period = {
  firstDay: z.string().describe('in UTC'),
  lastDay: z.string().describe('in UTC'),
};

const tag = z.string().nullable();
const tags = { p: tag, sp: tag, np: tag, pct: tag, testing: tag, discoveryMethod: tag };

export const reportRow = lenientObject({
  domain: z.string().describe('the domain whose policy was applied'),
  source: z.string().exactOptional().describe('with `--by source`: the IP address'),
  selector: z
    .string()
    .exactOptional()
    .describe('with `--by selector`: of the signature, empty without one'),
  signer: z.string().exactOptional().describe('with `--by selector`: the domain that signed'),
  day: z.string().exactOptional().describe('with `--by day`: in UTC'),
  origin: z.enum(origins).exactOptional().describe('whose mail it is, by your DKIM selectors'),
  ...counts,
  applied: z.array(z.string()).describe('what receivers did: none, pass, quarantine, reject'),
  reasons: z.array(z.string()).describe('why that differs from the policy'),
  headerFrom: z.array(z.string()).describe('up to ten, like the fields after it'),
  envelopeFrom: z.array(z.string()),
  signedBy: z.array(z.string()).describe('the keys of valid signatures'),
  spfDomains: z.array(z.string()).describe('domains that passed SPF'),
  ...period,
});

const domainTotal = lenientObject({
  domain: z.string(),
  policy: lenientObject(tags).describe('as in the newest report'),
  reports: z.number(),
  reporters: z.number(),
  ...counts,
  ...period,
});

export const reportDocument = lenientObject({
  rows: z.array(reportRow),
  reports: z.number().describe('how many were counted'),
  duplicates: z.number().describe('reports that had already been counted'),
  reporters: z.number().describe('receivers that reported'),
  otherFiles: z.number().describe('files and messages that are not reports'),
  damaged: z.array(lenientObject({ file: z.string(), problem: z.string() })),
  domains: z.array(domainTotal),
});

export type ReportDocument = ReadonlyInfer<typeof reportDocument>;
/** The messages of one source, of one selector, or of one day. */
export type ReportGroup = z.infer<typeof reportRow>;
export type DomainTotal = z.infer<typeof domainTotal>;
export type MessageCounts = Pick<ReportGroup, keyof typeof counts>;
/** Something that could not be read: its name, and the end of a sentence about it. */
export type DamagedFile = ReportDocument['damaged'][number];
