import { domainToASCII } from 'node:url';
import type { Domain } from '../../../../api/domain.ts';

/** A name as DNS compares it: lower case, in Punycode, without a final dot. Other text in lower case. */
export function dnsName(name: string): string {
  const bare = name.trim().replace(/\.$/, '').toLowerCase();
  // `domainToASCII` parses the host of a URL, where `/` and `%` have a meaning.
  const international = /[^\0-\x7f]/.test(bare) && /^[\p{L}\p{M}\p{N}_.*-]+$/u.test(bare);
  return (international && domainToASCII(bare)) || bare;
}

/** The registered domain, to which record names are relative: `example.com` for `news.example.com`. */
export function registeredName({ name, subdomain }: Pick<Domain, 'name' | 'subdomain'>): string {
  const full = dnsName(name);
  const below = dnsName(subdomain ?? '');
  return below !== '' && full.startsWith(`${below}.`) ? full.slice(below.length + 1) : full;
}

/**
 * The full name of a record. Some servers return relative names; absolute ones end in the domain or a dot.
 */
export function fullName(recordName: string, registered: string): string {
  const name = dnsName(recordName);
  if (name === '' || name === '@') return registered;
  const absolute =
    recordName.trim().endsWith('.') || name === registered || name.endsWith(`.${registered}`);
  return absolute ? name : `${name}.${registered}`;
}
