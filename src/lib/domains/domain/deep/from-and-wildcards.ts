import type { DnsType } from '../../../base/system/dns.ts';
import type { DomainCheck } from './finding.ts';

/** Checks whether the From domain takes mail: null if DNS failed. */
export async function checkFrom({ mail, asker, tell }: DomainCheck): Promise<boolean | null> {
  const { from } = mail;
  const mx = await asker.ask(from, 'MX');
  if (mx.kind === 'failed') return null;
  const evidence = [await asker.evidence(from, 'MX')];
  if (mx.kind === 'found') {
    const isNull = mx.values.every((one) => /^\d+ \.?$/.test(one));
    if (isNull) {
      const message = `${from} says that it accepts no mail (MX 0 .), so replies bounce, and receivers may reject mail from it (RFC 7505, 4.2).`;
      tell('from-null-mx', message, { evidence });
    }
    return !isNull;
  }
  if (!mx.exists) {
    tell('from-missing', `${from} does not exist in DNS, so receivers reject mail from it.`, {
      evidence,
    });
    return false;
  }
  const addresses = await Promise.all([asker.ask(from, 'A'), asker.ask(from, 'AAAA')]);
  if (addresses.some(({ kind }) => kind === 'found')) return true;
  if (addresses.some(({ kind }) => kind === 'failed')) return null;
  const message = `${from} has no MX, A or AAAA records, so replies bounce, and many receivers reject mail from it.`;
  tell('from-unreachable', message, { evidence: [...evidence, await asker.evidence(from, 'A')] });
  return false;
}

/** A name that nobody publishes. */
const unlikely = 'no-such-name-7f3k';

/** Finds wildcards that answer where a missing record has a meaning. */
export async function checkWildcards({ mail, asker, tell }: DomainCheck): Promise<void> {
  const { from, selectors } = mail;
  const places: readonly (readonly [string, DnsType, 'warning' | 'info', string])[] = [
    [
      `${unlikely}._domainkey.${selectors[0]?.domain ?? from}`,
      ...(['TXT', 'warning', 'every DKIM selector seems to have a record'] as const),
    ],
    [
      `_dmarc.${unlikely}.${from}`,
      ...(['TXT', 'warning', 'every subdomain seems to have a DMARC record'] as const),
    ],
    [`${unlikely}.${from}`, 'MX', 'info', 'every subdomain seems to take mail'],
  ];
  for (const [name, type, severity, effect] of places) {
    const answer = await asker.ask(name, type);
    // Owners revoke all keys of a domain that sends no mail in this way.
    const isMeant = (value: string) => /^v=DKIM1;\s*p=;?$/i.test(value);
    if (answer.kind !== 'found' || answer.values.every(isMeant)) continue;
    const message = `A wildcard answers for ${type} ${name}: ${effect}.`;
    tell('wildcard', message, { severity, evidence: [await asker.evidence(name, type)] });
  }
}
