import * as z from 'zod';
import { domain } from '../../../../api/domain.ts';
import { lenientObject } from '../../../../api/lenient.ts';
import type { DomainCode } from '../../../../shared/check/domain-codes.ts';
import { severities } from '../../../../shared/check/severity.ts';
import type { ReadonlyInfer } from '../../../base/json/readonly-infer.ts';

/** What `--json` shows of a deep check of domains. */

const evidence = lenientObject({
  question: z.string().describe('such as `TXT _dmarc.example.com`'),
  server: z.string().nullable().describe('the server that answered; null in the sandbox'),
  answer: z.array(z.string()).describe('all values; empty if there is no such record'),
});

const recordToPublish = lenientObject({
  type: z.string(),
  fqdn: z.string().describe('the full name, without a trailing dot'),
  value: z.string(),
  priority: z.number().nullable(),
  ttl: z.number().nullable().describe('in seconds'),
});

/** Something about a domain that keeps its mail from being accepted, or that its owner should know. */
export const domainFinding = lenientObject({
  domain: z.string(),
  // Later versions may have more codes.
  code: z
    .string()
    .describe(
      'what it is about, see docs/domain-check.md; `--ignore` takes it',
    ) as z.ZodType<DomainCode>,
  severity: z.enum(severities),
  message: z.string().describe('a sentence'),
  evidence: z.array(evidence).describe('what DNS has'),
  publish: z
    .array(recordToPublish)
    .describe('the records to publish; empty if only the owner can know them'),
  url: z.string().describe('the page that explains it'),
});

const fate = z.enum(['delivered', 'quarantined', 'rejected', 'unknown']);
const policy = z.enum(['none', 'quarantine', 'reject']);

const domainReport = lenientObject({
  domain: z.string(),
  inAccount: z.boolean().describe('whether its records and senders are known'),
  from: z.string().describe('the domain in the header From'),
  mailFrom: z.string().nullable().describe('the domain of the return path; null if not known'),
  zone: z.string().nullable().describe('the zone whose own name servers were asked'),
  spf: z
    .array(
      lenientObject({
        role: z.enum(['mail-from', 'from']).describe('receivers check that of `mail-from`'),
        domain: z.string(),
        record: z.string().nullable(),
        lookups: z.number().describe('of the 10 that receivers do'),
        voidLookups: z.number().describe('of the 2 that may find nothing'),
        terms: z
          .array(lenientObject({ depth: z.number(), term: z.string(), lookups: z.number() }))
          .describe('the terms, each followed by those of the record that it leads to'),
        usable: z.boolean().nullable(),
      }),
    )
    .describe('SPF of the return path and, separately, of the From domain'),
  dkim: z.array(
    lenientObject({
      selector: z.string(),
      domain: z.string(),
      type: z.string().nullable(),
      bits: z.number().nullable(),
      usable: z.boolean().nullable().describe('null if not known'),
    }),
  ),
  dmarc: lenientObject({
    record: z.string().nullable().describe('the record in force'),
    domain: z.string().nullable().describe('where it is published, without `_dmarc.`'),
    tag: z.enum(['p', 'sp', 'np']).nullable().describe('the tag that decides'),
    policy: policy.nullable().describe('what receivers apply'),
    organizationalDomain: z.string().nullable(),
    spfAligned: z.boolean().nullable(),
    dkimAligned: z.boolean().nullable(),
    passes: z.boolean().nullable().describe('whether mail of the account passes'),
    fates: lenientObject({ none: fate, quarantine: fate, reject: fate }).describe(
      'what each policy would do to mail of the account',
    ),
  }),
  receivers: z
    .array(
      lenientObject({
        receiver: z.enum(['Gmail', 'Yahoo', 'Outlook']),
        bulk: z.boolean().describe('whether the rule is only for about 5,000 messages a day'),
        rule: z.string(),
        state: z.enum(['met', 'not met', 'unseen']).describe('`unseen`: DNS does not show it'),
      }),
    )
    .describe('the rules for senders'),
  failures: z
    .array(lenientObject({ question: z.string(), reason: z.string() }))
    .describe('look-ups without a result'),
});

const incomplete = z.boolean().describe('whether DNS gave no answer to a question');
const count = z.number().nullable().describe('null if none was found, but the check is incomplete');
const counts = { error: count, warning: count, info: count };

const verdict = {
  ok: z
    .boolean()
    .describe('whether no finding has the severity of `--fail-on`, and every look-up had a result'),
  incomplete,
  summary: lenientObject(counts).describe('the number of findings of each severity'),
  findings: z.array(domainFinding),
};

export const deepCheck = lenientObject({
  ...verdict,
  domains: z.array(domainReport),
});

export const deepVerdict = lenientObject(verdict);

export const checkedDomain = domain.extend({
  findings: lenientObject({
    ...counts,
    incomplete,
    summary: z.string().describe('in words; `unknown` if DNS gave no answer to a question'),
  }).describe('how many findings a deep check has'),
});

export type Evidence = ReadonlyInfer<typeof evidence>;
export type RecordToPublish = ReadonlyInfer<typeof recordToPublish>;
export type DomainFinding = ReadonlyInfer<typeof domainFinding>;
export type DomainReport = ReadonlyInfer<typeof domainReport>;
export type SpfReport = DomainReport['spf'][number];
export type DkimReport = DomainReport['dkim'][number];
export type DmarcVerdict = DomainReport['dmarc'];
export type DmarcOutcome = ReadonlyInfer<typeof fate>;
export type ReceiverRule = DomainReport['receivers'][number];
export type Failure = DomainReport['failures'][number];
export type DeepReply = ReadonlyInfer<typeof deepCheck>;
export type CheckedDomain = z.infer<typeof checkedDomain>;
