import type { DnsAnswer } from '../../shared/dns-answer.ts';
import type { Store } from '../store/store.ts';
import { changedRecords, changeRecords, type DnsRecordSet } from './dns-changes.ts';
import { publicKeyOf, recordName, type ShownDomain, storedDomains } from './domains.ts';

/** An address that is reserved for documentation (RFC 5737). */
const host = '192.0.2.80';

type ShownRecord = ShownDomain['dnsRecords'][number];

/** Looks up a name, in any case and without a dot at the end, in the DNS of the sandbox's domains. */
export function lookUpInSandbox(store: Store, name: string, type: string): DnsAnswer {
  const wanted = name.toLowerCase();
  const records = publishedRecords(store);
  const found = records.find((one) => one.name === wanted && one.type === type);
  if (found !== undefined) return { kind: 'found', values: found.values };
  const domains = storedDomains(store);
  // Domains that send mail have a host, so that replies reach somebody.
  if (type === 'A' && domains.some((one) => one.name === wanted)) {
    return { kind: 'found', values: [host] };
  }
  const isAbove = (one: string) => one === wanted || one.endsWith(`.${wanted}`);
  const exists = records.some((one) => isAbove(one.name));
  return { kind: 'none', exists: exists || domains.some((one) => isAbove(one.name)) };
}

/** All records in the sandbox's DNS: those that match the status of each domain, unless others were set. */
export function publishedRecords(store: Store): DnsRecordSet[] {
  const sets = new Map<string, DnsRecordSet>();
  for (const domain of storedDomains(store)) {
    for (const record of domain.dnsRecords) {
      const value = valueByStatus(domain, record);
      if (value === undefined) continue;
      const set = { ...recordKey(domain, record), values: [value] };
      sets.set(`${set.type} ${set.name}`, set);
    }
  }
  for (const set of changedRecords(store)) {
    const key = `${set.type} ${set.name}`;
    if (set.values.length === 0) sets.delete(key);
    else sets.set(key, set);
  }
  return [...sets.values()];
}

/** Sets all records of a domain as the service expects them. False if the domain is unknown. */
export function publishDomain(store: Store, name: string): boolean {
  const domain = storedDomains(store).find((one) => one.name === name.toLowerCase());
  if (domain === undefined) return false;
  for (const record of domain.dnsRecords) {
    changeRecords(store, { ...recordKey(domain, record), values: [wantedValue(record)] });
  }
  return true;
}

function recordKey({ name }: ShownDomain, record: ShownRecord) {
  return { name: recordName(record.name, name), type: record.type };
}

function wantedValue({ priority, value }: ShownRecord): string {
  return priority === undefined ? value : `${priority} ${value}`;
}

/**
 * The value of a record that nobody has set. A domain whose verification was never started has none, a
 * pending one lacks its key, and a failed one has another key.
 */
function valueByStatus(domain: ShownDomain, record: ShownRecord): string | undefined {
  if (record.recommended === true) return domain.dmarcAdded ? wantedValue(record) : undefined;
  const { status, publicKey, name } = domain;
  if (status === 'NOT_STARTED') return undefined;
  if (record.value !== `p=${publicKey}`) return wantedValue(record);
  const other = publicKeyOf(`another ${name}`);
  const key = { SUCCESS: publicKey, FAILED: other, PENDING: null, TEMPORARY_FAILURE: null }[status];
  return key === null ? undefined : `p=${key}`;
}
