import * as z from 'zod';
import { lenientObject, nullishBoolean, nullishNumber, nullishString } from './lenient.ts';
import { operation } from './operation.ts';

/** Statuses of a domain and of each of its DNS records. */
export const domainStatuses = [
  'NOT_STARTED',
  'PENDING',
  'SUCCESS',
  'FAILED',
  'TEMPORARY_FAILURE',
] as const;

export type DomainStatus = (typeof domainStatuses)[number];

/**
 * A DNS record to publish. `name` is relative to the registered domain on some servers and
 * absolute on others; `ttl` and `priority` are strings. `recommended` marks a record that
 * verification does not need.
 */
export const dnsRecord = lenientObject({
  type: z.string(),
  name: z.string(),
  value: z.string(),
  ttl: nullishString,
  priority: nullishString,
  status: nullishString,
  recommended: nullishBoolean,
});

export type DnsRecord = z.infer<typeof dnsRecord>;

/** A sending domain with the DNS records to publish. Times are ISO 8601 strings. */
export const domain = lenientObject({
  id: z.number(),
  name: z.string(),
  teamId: nullishNumber,
  status: z.string(),
  region: nullishString,
  clickTracking: nullishBoolean,
  openTracking: nullishBoolean,
  receivingEnabled: nullishBoolean,
  tlsEnforced: nullishBoolean,
  publicKey: nullishString,
  dkimStatus: nullishString,
  spfDetails: nullishString,
  createdAt: nullishString,
  updatedAt: nullishString,
  dmarcAdded: nullishBoolean,
  isVerifying: nullishBoolean,
  hasEverVerified: nullishBoolean,
  errorMessage: nullishString,
  subdomain: nullishString,
  verificationError: nullishString,
  lastCheckedTime: nullishString,
  dnsRecords: z.array(dnsRecord),
});

export type Domain = z.infer<typeof domain>;

const domainId = z.strictObject({ id: z.int().min(1) });

/** Lists all domains that this key can access. */
export const listDomains = operation('domain.list', {
  route: 'GET /v1/domains',
  input: z.strictObject({}),
  reply: z.array(domain),
});

/** One domain. During a verification, live servers check its records at this request. 500 if unknown. */
export const getDomain = operation('domain.get', {
  route: 'GET /v1/domains/{id}',
  beyond: true,
  input: z.strictObject({ params: domainId }),
  reply: domain,
});

/** A domain to add. The regions are not listed anywhere; servers use those of Amazon, such as `us-east-1`. */
const createDomainBody = z.strictObject({
  name: z.string().min(1),
  region: z.string().min(1),
});

export type CreateDomainBody = z.infer<typeof createDomainBody>;

/** Adds a domain. 500 if the name is invalid, the region is unknown or the domain exists already. */
export const createDomain = operation('domain.create', {
  route: 'POST /v1/domains',
  effect: 'changes',
  repeat: 'unsent',
  beyond: true,
  input: z.strictObject({ body: createDomainBody }),
  reply: domain,
});

/**
 * Starts a verification; `domain.get` shows its result. Errors are bare strings; 404 if the id is unknown.
 */
export const verifyDomain = operation('domain.verify', {
  route: 'PUT /v1/domains/{id}/verify',
  effect: 'changes',
  repeat: 'harmless',
  input: z.strictObject({ params: domainId }),
  reply: lenientObject({ message: nullishString }),
});

/** Deletes a domain. API keys that were restricted to it lose the restriction. */
export const deleteDomain = operation('domain.delete', {
  route: 'DELETE /v1/domains/{id}',
  effect: 'deletes',
  repeat: 'harmless',
  input: z.strictObject({ params: domainId }),
  reply: lenientObject({
    id: nullishNumber,
    success: nullishBoolean,
    message: nullishString,
  }),
});
