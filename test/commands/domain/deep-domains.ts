import type { ZoneRecord } from '../../support/dns-server.ts';
import { dnsRecord } from './dns-domains.ts';
import { domain } from './domains.ts';

/** The key of 2048 bits in the sandbox's zones, which receivers can read. */
export const goodKey =
  'p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0Zmmh+ZzGWF8rhdh/60U+DY8XYw5NnSSDvBoJ3SHkeegggxtR8dPb8bMahuWilUY0ztVnqFNjfDVMkMuFzwfGshbiO8tssHClllT5LNj517z1bY3Lfqzco2b/AR1rxgas6uZA+x0wxQ8CzcD7cP2ProrPQlFtBBxnT/n4cQhauyoQDoXv3sVIijeAJEXIA9auCL2j9PTT59TMgisxD7Aj3gIxR/UWJgFKStJK7NBpkFz/HZQH/0M5O+M8HJrVIoe5X3B5P0mC1whPpOTEdwK/GuaGx+ZA7H3OEVxnEpWI5pQgZsa0xccARSsdDjFffzultB3h48kb8sWGyoXlJ8SXwIDAQAB';

const mx = 'feedback-smtp.eu-west-1.amazonses.com';
export const dmarcOf = (name: string) => `v=DMARC1; p=reject; rua=mailto:dmarc@${name}`;

/** A domain of the account with the records that the service requires. */
export function sending(name = 'a.example', id = 4) {
  return domain(id, name, {
    dnsRecords: [
      dnsRecord('MX', 'mail', mx, { priority: '10' }),
      dnsRecord('TXT', 'k._domainkey', goodKey),
      dnsRecord('TXT', 'mail', 'v=spf1 include:amazonses.com ~all'),
      dnsRecord('TXT', '_dmarc', 'v=DMARC1; p=none;', { recommended: true }),
    ],
  });
}

/** What such a domain has in DNS if nothing is wrong. */
export function zoneOf(name = 'a.example'): ZoneRecord[] {
  return [
    [name, 'SOA', `ns1.${name}`, 3300],
    [name, 'NS', `ns1.${name}`],
    [`ns1.${name}`, 'A', '127.0.0.2'],
    [name, 'MX', `10 mx.${name}`],
    [name, 'TXT', 'v=spf1 -all'],
    [`mail.${name}`, 'MX', `10 ${mx}`],
    [`mail.${name}`, 'TXT', 'v=spf1 include:amazonses.com ~all'],
    [`k._domainkey.${name}`, 'TXT', [goodKey.slice(0, 255), goodKey.slice(255)]],
    [`_dmarc.${name}`, 'TXT', dmarcOf(name)],
  ];
}

/** What everybody else has. */
export const world: readonly ZoneRecord[] = [
  ['amazonses.com', 'TXT', 'v=spf1 ip4:192.0.2.0/24 -all'],
];

/** These records with others for one name and type. */
export function but(
  records: readonly ZoneRecord[],
  name: string,
  type: ZoneRecord[1],
  ...values: readonly (string | readonly string[])[]
): ZoneRecord[] {
  return [
    ...records.filter(([one, other]) => one !== name || other !== type),
    ...values.map((value) => [name, type, value] as const),
  ];
}
