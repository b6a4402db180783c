import { domainToASCII } from 'node:url';
import type { Domain } from '../../../api/domain.ts';

/**
 * A name in the form DNS compares names in: lower case, other scripts as Punycode, no dot at the
 * end. What cannot be a name is only put into lower case.
 */
export function dnsName(name: string): string {
  const bare = name.trim().replace(/\.$/, '').toLowerCase();
  // Read as the host of a URL, which also knows `/` and `%`.
  const international = /[^\0-\x7f]/.test(bare) && /^[\p{L}\p{M}\p{N}_.*-]+$/u.test(bare);
  return (international && domainToASCII(bare)) || bare;
}

/**
 * The registered domain that a sending domain is part of, to which the names of its records are
 * relative: `example.com` for `news.example.com`, whose subdomain the service says is `news`.
 */
export function registeredName({ name, subdomain }: Pick<Domain, 'name' | 'subdomain'>): string {
  const full = dnsName(name);
  const below = dnsName(subdomain ?? '');
  return below !== '' && full.startsWith(`${below}.`) ? full.slice(below.length + 1) : full;
}

/**
 * The full name of a record. Names are relative to the registered domain on some servers, absolute
 * on others; absolute are those that end in it, or in a dot.
 */
export function fullName(recordName: string, registered: string): string {
  const name = dnsName(recordName);
  if (name === '' || name === '@') return registered;
  const absolute =
    recordName.trim().endsWith('.') || name === registered || name.endsWith(`.${registered}`);
  return absolute ? name : `${name}.${registered}`;
}
