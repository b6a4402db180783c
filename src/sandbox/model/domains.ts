import { createHash } from 'node:crypto';
import { isMailbox } from '../../api/address.ts';
import { addressAsWritten } from '../../api/bare-address.ts';
import type { DomainStatus } from '../../api/domain.ts';
import { asciiDomain } from '../../api/domain-name.ts';

import { ApiError, internalError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { domainOf } from './addresses.ts';
import { teamId } from './api-account.ts';
import { changedRecords } from './dns-changes.ts';
import { iso, isoDates } from './iso.ts';
import { addJob, dueAt, takeJob } from './jobs.ts';
import { callWebhooks } from './webhooks.ts';

/** Milliseconds until a look-up finds the published records. */
const verificationTime = 3000;

/** Without a request for the domain, live servers look up its records within an hour. */
const untilLookedUp = 3_600_000 - verificationTime;

export interface DomainRow {
  id: number;
  name: string;
  region: string;
  status: DomainStatus;
  publicKey: string;
  dmarcAdded: boolean;
  isVerifying: boolean;
  errorMessage: string | null;
  lastCheckedAt: number | null;
  hasEverVerified: boolean;
  createdAt: number;
  updatedAt: number;
}

/** Selects `DomainRow`s. */
export const selectDomain = `SELECT id, name, region, status, public_key, dmarc_added, is_verifying,
  error_message, last_checked_at, has_ever_verified, created_at, updated_at FROM domains`;

/** All domains, newest first, as the API lists them; or `limit` of them from `offset` on. */
export function storedDomains(store: Store, limit = -1, offset = 0) {
  return store
    .all<DomainRow>(
      `${selectDomain} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      limit,
      offset,
    )
    .map(shownDomain);
}

export type ShownDomain = ReturnType<typeof shownDomain>;

/** One domain as the API lists it, with the result of its last look-up. */
export function storedDomain(store: Store, id: number) {
  const row = domainRow(store, id);
  return row === undefined ? undefined : { ...shownDomain(row), ...lookUpOf(row) };
}

function domainRow(store: Store, id: number): DomainRow | undefined {
  return store.one<DomainRow>(`${selectDomain} WHERE id = ?`, id);
}

/** The regions that live servers accept. */
const regions: ReadonlySet<string> = new Set([
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-west-1', 'eu-west-2'],
  ...['eu-west-3', 'af-south-1', 'il-central-1', 'me-central-1', 'me-south-1', 'ap-northeast-1'],
  ...['ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-south-2', 'ap-southeast-1'],
  ...['ap-southeast-2', 'ap-southeast-3'],
]);

/**
 * Stores a domain that is still to be verified, with its name as given, and returns it as the API lists it. Call it in
 * a transaction.
 * Throws `ApiError` INTERNAL_SERVER_ERROR, as live servers do, for an invalid or existing name and an unknown
 * region.
 */
export function addDomain(
  store: Store,
  given: { readonly name: string; readonly region: string },
  now: number,
) {
  const name = given.name.toLowerCase();
  if (!asciiDomain(name)?.includes('.'))
    throw internalError(`${JSON.stringify(name)} is not a domain name`);
  if (!regions.has(given.region)) {
    throw internalError(`${JSON.stringify(given.region)} is not a region`);
  }
  if (domainIdOf(store, name) !== undefined)
    throw internalError(`there is a domain ${name} already`);
  store.insert('domains', {
    name,
    region: given.region,
    status: 'PENDING',
    publicKey: publicKeyOf(name),
    dmarcAdded: false,
    isVerifying: false,
    createdAt: now,
    updatedAt: now,
  });
  const row = store.one<DomainRow>(`${selectDomain} WHERE name = ?`, name);
  if (row === undefined) throw internalError('the domain was not stored');
  tellDomain(store, 'domain.created', row.id, now);
  return shownDomain(row);
}

/** The id of the domain with this name, verified or not. */
export function domainIdOf(store: Store, name: string): number | undefined {
  return store.value<number>('SELECT id FROM domains WHERE name = ?', name);
}

/**
 * The id of the sender's domain. Throws `ApiError` BAD_REQUEST if the sender is not an address, the
 * domain is unknown (as on live servers, its name must be in lower case), or it is not verified.
 */
export function verifiedDomainOf(store: Store, sender: string): number {
  if (!isMailbox(sender)) throw new ApiError('BAD_REQUEST', 'From email is invalid');
  const name = domainOf(addressAsWritten(sender));
  const domain = store.one<{ id: number; status: DomainStatus }>(
    'SELECT id, status FROM domains WHERE name = ?',
    name,
  );
  if (domain === undefined) {
    throw new ApiError('BAD_REQUEST', `Domain ${name} of the sender is not one of this account`);
  }
  if (domain.status !== 'SUCCESS') {
    throw new ApiError('BAD_REQUEST', `Domain ${name} is not verified`);
  }
  return domain.id;
}

/** The id that stands for any domain outside the account. */
export const noDomain = 0;

/**
 * Starts a verification, unless one is under way. As on live servers, this only marks the domain: its status
 * does not change until it is checked. False if the domain is unknown.
 */
export function beginVerification(store: Store, id: number, now: number): boolean {
  if (store.update('domains', id, { isVerifying: true, updatedAt: now }) === 0) return false;
  if (verificationEnd(store, id) === null) awaitVerification(store, id, now + verificationTime);
  return true;
}

/** Plans the end of a verification: at the first request for the domain after `at`, or later by itself. */
export function awaitVerification(store: Store, id: number, at: number): void {
  addJob(store, { dueAt: at + untilLookedUp, kind: 'domain.verified', subject: String(id) });
}

/** The time from which a request for the domain ends its verification; null if none is pending. */
export function verificationEnd(store: Store, id: number): number | null {
  const due = dueAt(store, 'domain.verified', String(id));
  return due === null ? null : due - untilLookedUp;
}

/**
 * One domain as the API shows it. If its verification is pending or has failed, its records are looked up
 * first, and the response has the result.
 */
export function lookAtDomain(store: Store, id: number, now: number): LookedAt | undefined {
  const before = domainRow(store, id);
  if (before === undefined) return undefined;
  if (!before.isVerifying && before.status !== 'FAILED') return shownDomain(before);
  const end = verificationEnd(store, id);
  if (end !== null && end <= now) {
    store.write(() => {
      // Another process may have been faster.
      const found = takeJob(store, 'domain.verified', String(id), now + untilLookedUp);
      if (found) endVerification(store, id, now);
    });
  }
  return storedDomain(store, id);
}

/**
 * Ends a verification. As on live servers, the DKIM record decides if it was set in the sandbox's DNS;
 * otherwise the verification fails for a name that starts with `fail`.
 */
export function endVerification(store: Store, id: number, at: number): void {
  const domain = domainRow(store, id);
  if (domain === undefined) return;
  const { name, publicKey } = domain;
  const key = recordName(keyName(subdomainOf(name)), name);
  const set = changedRecords(store).find((one) => one.name === key && one.type === 'TXT');
  const failed =
    set === undefined ? name.startsWith('fail') : !set.values.includes(`p=${publicKey}`);
  store.update('domains', id, {
    isVerifying: false,
    status: failed ? 'FAILED' : 'SUCCESS',
    errorMessage: failed ? `The DKIM record of ${name} is missing or wrong` : null,
    lastCheckedAt: at,
    ...(failed ? {} : { hasEverVerified: true }),
    updatedAt: at,
  });
  tellDomain(store, failed ? 'domain.updated' : 'domain.verified', id, at);
}

/** Calls webhooks about a domain. Call it in a transaction, before a deletion. */
export function tellDomain(
  store: Store,
  type: 'domain.created' | 'domain.verified' | 'domain.updated' | 'domain.deleted',
  domainId: number,
  at: number,
): void {
  callWebhooks(store, type, at, () => {
    const row = domainRow(store, domainId);
    if (row === undefined) return undefined;
    const { id, name, status, region, createdAt, updatedAt, ...shown } = shownDomain(row);
    const { clickTracking, openTracking, subdomain, sesTenantId, dkimStatus, spfDetails } = shown;
    const about = { id, name, status, region, createdAt, updatedAt, clickTracking, openTracking };
    return {
      ...about,
      subdomain,
      sesTenantId,
      dkimStatus,
      spfDetails,
      dmarcAdded: shown.dmarcAdded,
    };
  });
}

export type FoundDomain = NonNullable<ReturnType<typeof storedDomain>>;

type LookedAt = ShownDomain & Partial<ReturnType<typeof lookUpOf>>;

/** Fields that live servers return only right after a look-up of the records. */
function lookUpOf({ errorMessage, lastCheckedAt }: DomainRow) {
  return { verificationError: errorMessage, lastCheckedTime: iso(lastCheckedAt) };
}

type ShownRecord = {
  type: 'MX' | 'TXT';
  name: string;
  value: string;
  ttl: string;
  priority?: string;
  status: DomainStatus;
  recommended?: boolean;
};

function shownDomain(row: DomainRow) {
  const record = recordStatuses(row);
  return {
    id: row.id,
    name: row.name,
    teamId,
    status: row.status,
    region: row.region,
    clickTracking: false,
    openTracking: false,
    receivingEnabled: false,
    tlsEnforced: false,
    publicKey: row.publicKey,
    dkimSelector: 'usesend',
    dkimStatus: record.dkim,
    spfDetails: record.spf,
    ...isoDates(row),
    dmarcAdded: row.dmarcAdded,
    isVerifying: row.isVerifying,
    hasEverVerified: row.hasEverVerified,
    errorMessage: row.errorMessage,
    subdomain: subdomainOf(row.name),
    sesTenantId: null,
    dnsRecords: recordsOf(row),
  };
}

/** The records to publish. Only the DKIM record of a failed domain is missing or wrong. */
function recordsOf(row: DomainRow): ShownRecord[] {
  const subdomain = subdomainOf(row.name);
  const record = recordStatuses(row);
  const below = subdomain === '' ? '' : `.${subdomain}`;
  return [
    {
      type: 'MX',
      name: `mail${below}`,
      value: `feedback-smtp.${row.region}.amazonses.com`,
      ttl: 'Auto',
      priority: '10',
      status: record.spf,
    },
    {
      type: 'TXT',
      name: keyName(subdomain),
      value: `p=${row.publicKey}`,
      ttl: 'Auto',
      status: record.dkim,
    },
    {
      type: 'TXT',
      name: `mail${below}`,
      value: 'v=spf1 include:amazonses.com ~all',
      ttl: 'Auto',
      status: record.spf,
    },
    {
      type: 'TXT',
      name: '_dmarc',
      value: 'v=DMARC1; p=none;',
      ttl: 'Auto',
      status: row.dmarcAdded ? 'SUCCESS' : 'NOT_STARTED',
      recommended: true,
    },
  ];
}

function keyName(subdomain: string): string {
  return subdomain === '' ? 'usesend._domainkey' : `usesend._domainkey.${subdomain}`;
}

/** The full name of a domain's record. In the API, names are relative to the registered name. */
export function recordName(name: string, domain: string): string {
  return `${name}.${domain.split('.').slice(-2).join('.')}`;
}

/** The records of a pending domain are unknown until its first check. */
function recordStatuses(row: DomainRow): { dkim: DomainStatus; spf: DomainStatus } {
  const isNew = row.status === 'PENDING' && !row.isVerifying && row.lastCheckedAt === null;
  const status = isNew ? 'NOT_STARTED' : row.status;
  return { dkim: status, spf: status === 'FAILED' ? 'SUCCESS' : status };
}

/** The labels before the last two: the sandbox has no public suffix list. */
function subdomainOf(name: string): string {
  return name.split('.').slice(0, -2).join('.');
}

/** A DKIM key of 1024 bits that can be read, the same for the same name. Nothing is signed with it. */
export function publicKeyOf(name: string): string {
  const modulus = createHash('shake256', { outputLength: 128 }).update(name).digest();
  // The highest bit makes its length, and a modulus is odd.
  modulus[0] = (modulus[0] ?? 0) | 0x80;
  modulus[127] = (modulus[127] ?? 0) | 1;
  return Buffer.concat([keyStart, modulus, keyEnd]).toString('base64');
}

/** What is around the modulus: SubjectPublicKeyInfo of an RSA key (RFC 8017, A.1.1) with the exponent 65537. */
const keyStart = Buffer.from('30819f300d06092a864886f70d010101050003818d0030818902818100', 'hex');
const keyEnd = Buffer.from('0203010001', 'hex');
