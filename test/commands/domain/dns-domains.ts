import type { ZoneRecord } from '../../support/dns-server.ts';
import { domain } from './domains.ts';

/** Shaped like a real 2048-bit key, which is too long for one string. */
export const longKey = `p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${'MIIBCgKCAQEA'.repeat(30)}IDAQAB`;
export const dmarc = 'v=DMARC1; p=none; rua=mailto:dmarc@a.example';
export const spf = 'v=spf1 include:amazonses.com ~all';
const mx = 'feedback-smtp.eu-west-1.amazonses.com';

/** A DNS record as a service returns it. */
export function dnsRecord(
  type: string,
  name: string,
  value: string,
  fields: Readonly<Record<string, unknown>> = {},
) {
  return { type, name, value, ttl: 'Auto', priority: null, status: 'PENDING', ...fields };
}

/** The four records that a service requires for `a.example`, or for `news.a.example` with `.news`. */
export function dnsRecords(below = '') {
  return [
    dnsRecord('MX', `mail${below}`, mx, { priority: '10' }),
    dnsRecord('TXT', `k._domainkey${below}`, longKey),
    dnsRecord('TXT', `mail${below}`, spf),
    dnsRecord('TXT', '_dmarc', dmarc, { recommended: true }),
  ];
}

/** `a.example`, id 4, with its records. */
export function domainWithRecords(fields: Readonly<Record<string, unknown>> = {}) {
  return domain(4, 'a.example', { dnsRecords: dnsRecords(), ...fields });
}

/** What the SPF record includes. */
export const senders: ZoneRecord = ['amazonses.com', 'TXT', 'v=spf1 ip4:199.255.192.0/22 -all'];

/** The zone with all records of `a.example` published. */
export const published: readonly ZoneRecord[] = [
  ['a.example', 'SOA', 'ns1.a.example'],
  ['mail.a.example', 'MX', `10 ${mx}`],
  ['mail.a.example', 'TXT', spf],
  ['k._domainkey.a.example', 'TXT', [longKey.slice(0, 255), longKey.slice(255)]],
  ['_dmarc.a.example', 'TXT', dmarc],
  senders,
];

/** The same zone with other records for one name and type. */
export function publishedBut(
  name: string,
  type: ZoneRecord[1],
  ...values: readonly (string | readonly string[])[]
): ZoneRecord[] {
  return [
    ...published.filter(([one, other]) => one !== name || other !== type),
    ...values.map((value) => [name, type, value] as const),
  ];
}
