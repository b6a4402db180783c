import type { DnsRecord, Domain } from '../../../../api/domain.ts';
import { NotFoundError } from '../../../base/errors.ts';
import { dnsName, fullName, registeredName } from './dns-names.ts';

/** A DNS record that the service wants published, in DNS terms. */
export interface WantedRecord {
  /** In upper case. */
  readonly type: string;
  /** As the service returns it. */
  readonly name: string;
  /** The full name, without a dot at the end. */
  readonly fqdn: string;
  /** The target of an MX or CNAME without a dot at the end; other values unchanged. */
  readonly value: string;
  /** The priority of an MX; undefined if the service gives none. */
  readonly priority: number | undefined;
  /** In seconds; undefined for `Auto`. */
  readonly ttl: number | undefined;
  /** Whether the verification needs it. */
  readonly required: boolean;
}

/**
 * The records to publish for a domain, in the service's order. Throws a `NotFoundError` if there are none.
 */
export function wantedRecords(domain: Domain): WantedRecord[] {
  if (domain.dnsRecords.length === 0) {
    throw new NotFoundError(`The service lists no DNS records for ${domain.name}.`, {
      hint: `To see the domain: mailer domain get ${domain.id}`,
    });
  }
  const registered = registeredName(domain);
  return domain.dnsRecords.map((record) => wantedRecord(record, registered));
}

function wantedRecord(record: DnsRecord, registered: string): WantedRecord {
  const type = record.type.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return {
    type,
    name: record.name,
    fqdn: fullName(record.name, registered),
    value: type === 'MX' || type === 'CNAME' ? dnsName(record.value) : record.value,
    priority: wholeNumber(record.priority, 0xffff),
    ttl: wholeNumber(record.ttl, 2 ** 31 - 1),
    required: record.recommended !== true,
  };
}

function wholeNumber(text: string | null | undefined, max: number): number | undefined {
  const number = /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN;
  return number <= max ? number : undefined;
}
