import type { Domain } from '../../../api/domain.ts';
import { fullName, registeredName } from './dns/dns-names.ts';

/** The DKIM keys that the service publishes for domains, as full names: `s1._domainkey.example.com`. */
export function dkimKeysOf(domains: readonly Domain[]): Set<string> {
  const names = domains.flatMap((domain) =>
    domain.dnsRecords.map(({ name }) => fullName(name, registeredName(domain))),
  );
  return new Set(names.filter((name) => name.includes('._domainkey.')));
}
