import type { DnsAnswer } from '../../../shared/dns-answer.ts';

/**
 * Looks up a name, without a final dot, and follows aliases (CNAME), as receivers do. It throws only the reason of an
 * abort. Values are those of `DnsAnswer`; those of PTR are names.
 */
export type Ask = (
  name: string,
  type: 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR' | 'CNAME' | 'NS' | 'SOA',
) => Promise<DnsAnswer>;

/** A domain name as these rooms compare it: lower case, without a final dot. */
export function plainName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}

/**
 * Whether DNS can have a host of this name: two labels or more, each of 1 to 63 octets, 253 in all. A literal such as
 * `[192.0.2.1]` is none.
 */
export function isDomainName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= 253 &&
    !name.startsWith('[') &&
    labels.length >= 2 &&
    labels.every((label) => label.length >= 1 && label.length <= 63)
  );
}
