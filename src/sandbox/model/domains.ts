import { createHash } from 'node:crypto';
import { isMailbox } from '../../api/address.ts';
import { addressAsWritten } from '../../api/bare-address.ts';
import type { DomainStatus } from '../../api/domain.ts';
import { ApiError, unforeseen } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { teamId } from './account.ts';
import { domainOf } from './addresses.ts';
import { addJob, dueAt, takeJob } from './jobs.ts';

/** Milliseconds until a look-up finds what is published. */
const verificationTime = 3000;

/**
 * Milliseconds after which a verification ends without a request for the domain: live servers look
 * up all pending domains every hour.
 */
const untilLookedUp = 3_600_000 - verificationTime;

/** The default region of a domain. */
export const defaultRegion = 'us-east-1';

interface DomainRow {
  id: number;
  name: string;
  region: string;
  status: DomainStatus;
  publicKey: string;
  dmarcAdded: number;
  isVerifying: number;
  errorMessage: string | null;
  lastCheckedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

const select = `SELECT id, name, region, status, public_key AS publicKey,
  dmarc_added AS dmarcAdded, is_verifying AS isVerifying, error_message AS errorMessage,
  last_checked_at AS lastCheckedAt, created_at AS createdAt, updated_at AS updatedAt
  FROM domains`;

/** All domains, newest first, as the API lists them; or `limit` of them from `offset` on. */
export function storedDomains(store: Store, limit = -1, offset = 0) {
  return store
    .all<DomainRow>(`${select} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`, limit, offset)
    .map(shownDomain);
}

export type ShownDomain = ReturnType<typeof shownDomain>;

/** One domain as the API lists it, with what its last look-up found. */
export function storedDomain(store: Store, id: number) {
  const row = domainRow(store, id);
  return row === undefined ? undefined : { ...shownDomain(row), ...lookUpOf(row) };
}

function domainRow(store: Store, id: number): DomainRow | undefined {
  return store.one<DomainRow>(`${select} WHERE id = ?`, id);
}

/** Where live servers may have mail sent from. */
const regions: ReadonlySet<string> = new Set([
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'sa-east-1'],
  ...['eu-central-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-west-1', 'eu-west-2'],
  ...['eu-west-3', 'af-south-1', 'il-central-1', 'me-central-1', 'me-south-1', 'ap-northeast-1'],
  ...['ap-northeast-2', 'ap-northeast-3', 'ap-south-1', 'ap-south-2', 'ap-southeast-1'],
  ...['ap-southeast-2', 'ap-southeast-3'],
]);

const domainName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;

/**
 * Stores a domain that is to be verified, and returns it as the API lists it. Call it in a
 * transaction. Throws `ApiError` INTERNAL_SERVER_ERROR, as live servers do, for a name that is none
 * or is there already, and for an unknown region.
 */
export function addDomain(
  store: Store,
  given: { readonly name: string; readonly region: string },
  now: number,
) {
  const name = given.name.toLowerCase();
  const known = store.one('SELECT 1 FROM domains WHERE name = ?', name) !== undefined;
  if (known || !domainName.test(name) || !regions.has(given.region)) {
    throw new ApiError('INTERNAL_SERVER_ERROR', unforeseen);
  }
  const id = storeDomain(store, { name, region: given.region, status: 'PENDING', createdAt: now });
  const row = domainRow(store, id);
  return row && shownDomain(row);
}

interface NewDomain {
  readonly name: string;
  readonly status: DomainStatus;
  readonly region?: string;
  readonly dmarcAdded?: boolean;
  readonly createdAt: number;
}

/** Stores a domain whose name is not there yet, and returns its id. Call it in a transaction. */
export function storeDomain(store: Store, domain: NewDomain): number {
  store.run(
    `INSERT INTO domains (name, region, status, public_key, dmarc_added, is_verifying,
       last_checked_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    domain.name,
    domain.region ?? defaultRegion,
    domain.status,
    publicKeyOf(domain.name),
    domain.dmarcAdded ? 1 : 0,
    domain.status === 'SUCCESS' ? domain.createdAt : null,
    domain.createdAt,
    domain.createdAt,
  );
  const row = store.one<{ id: number }>('SELECT id FROM domains WHERE name = ?', domain.name);
  return row?.id ?? 0;
}

/**
 * The id of the sender's domain. Throws `ApiError` BAD_REQUEST when the sender is no address, when
 * the account has no such domain, as live servers have it when its name is in other letters, upper
 * or lower case, or when it is not verified.
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

/**
 * Starts a verification, unless one is under way. As on live servers, this only marks the domain:
 * its status does not change before it is checked. False if there is no such domain.
 */
export function beginVerification(store: Store, id: number, now: number): boolean {
  const found = store.run(
    'UPDATE domains SET is_verifying = 1, updated_at = ? WHERE id = ?',
    now,
    id,
  );
  if (found === 0) return false;
  if (verificationEnd(store, id) === null) awaitVerification(store, id, now + verificationTime);
  return true;
}

/** Ends a pending verification at the first request for the domain after `at`, or later. */
export function awaitVerification(store: Store, id: number, at: number): void {
  addJob(store, { dueAt: at + untilLookedUp, kind: 'domain.verified', subject: String(id) });
}

/** From when on a request for the domain ends its verification; null if none is pending. */
export function verificationEnd(store: Store, id: number): number | null {
  const due = dueAt(store, 'domain.verified', String(id));
  return due === null ? null : due - untilLookedUp;
}

/**
 * One domain as the API shows it. If its verification is pending or has failed, its records are
 * looked up first, and the response has the result.
 */
export function lookAtDomain(store: Store, id: number, now: number): LookedAt | undefined {
  const before = domainRow(store, id);
  if (before === undefined) return undefined;
  if (before.isVerifying === 0 && before.status !== 'FAILED') return shownDomain(before);
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

/** Ends a verification: in failure for a name that starts with `fail`, else in success. */
export function endVerification(store: Store, id: number, at: number): void {
  const domain = store.one<{ name: string }>('SELECT name FROM domains WHERE id = ?', id);
  if (domain === undefined) return;
  const failed = domain.name.startsWith('fail');
  store.run(
    `UPDATE domains SET is_verifying = 0, status = ?, error_message = ?, last_checked_at = ?,
       updated_at = ? WHERE id = ?`,
    failed ? 'FAILED' : 'SUCCESS',
    failed ? `The DKIM record of ${domain.name} was not found` : null,
    at,
    at,
    id,
  );
}

export type FoundDomain = NonNullable<ReturnType<typeof storedDomain>>;

type LookedAt = ShownDomain & Partial<ReturnType<typeof lookUpOf>>;

/** Fields that live servers return only right after a look-up of the records. */
function lookUpOf({ errorMessage, lastCheckedAt }: DomainRow) {
  return {
    verificationError: errorMessage,
    lastCheckedTime: lastCheckedAt === null ? null : new Date(lastCheckedAt).toISOString(),
  };
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
  const subdomain = subdomainOf(row.name);
  const record = recordStatuses(row);
  return {
    id: row.id,
    name: row.name,
    teamId,
    status: row.status,
    region: row.region,
    clickTracking: false,
    openTracking: false,
    publicKey: row.publicKey,
    dkimSelector: 'usesend',
    dkimStatus: record.dkim,
    spfDetails: record.spf,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    dmarcAdded: row.dmarcAdded === 1,
    isVerifying: row.isVerifying === 1,
    errorMessage: row.errorMessage,
    subdomain,
    sesTenantId: null,
    dnsRecords: recordsOf(row),
  };
}

/** The records to publish. A failed domain has all but its DKIM record. */
function recordsOf(row: DomainRow): ShownRecord[] {
  const subdomain = subdomainOf(row.name);
  const record = recordStatuses(row);
  const below = subdomain === null ? '' : `.${subdomain}`;
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
      name: `usesend._domainkey${below}`,
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
      status: row.dmarcAdded === 1 ? 'SUCCESS' : 'NOT_STARTED',
      recommended: true,
    },
  ];
}

/** Nothing is known of the records of a pending domain that was never checked. */
function recordStatuses(row: DomainRow): { dkim: DomainStatus; spf: DomainStatus } {
  const isNew = row.status === 'PENDING' && row.isVerifying === 0 && row.lastCheckedAt === null;
  const status = isNew ? 'NOT_STARTED' : row.status;
  return { dkim: status, spf: status === 'FAILED' ? 'SUCCESS' : status };
}

/** Takes the last two labels for the registered name: the sandbox has no public suffix list. */
function subdomainOf(name: string): string | null {
  return name.split('.').slice(0, -2).join('.') || null;
}

/** A key in the form of a real one, the same for the same name: nothing is signed with it. */
export function publicKeyOf(name: string): string {
  const blocks = ['1', '2', '3'].map((block) =>
    createHash('sha512').update(`${block} ${name}`).digest('base64').slice(0, 60),
  );
  return `MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ${blocks.join('')}IDAQAB`;
}
