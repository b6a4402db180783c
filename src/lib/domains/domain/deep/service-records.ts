import type { DnsType } from '../../../base/system/dns.ts';
import { quantity } from '../../../base/text/quantity.ts';
import { isSpf, withMeantMechanisms } from '../../mail-authentication/spf-record.ts';
import { compare } from '../dns/compare-records.ts';
import type { WantedRecord } from '../dns/wanted-records.ts';
import type { DkimReport, SpfReport } from './deep-shapes.ts';
import type { DomainMail } from './domain-mail.ts';
import { doubledName } from './doubled-name.ts';
import type { DomainCheck } from './finding.ts';

/** More than a day: a mistake stays that long. */
const longTtl = 86_400;

/** What SPF and DKIM led to, whose findings are not told twice. */
interface Usable {
  readonly spf: readonly Pick<SpfReport, 'domain' | 'usable'>[];
  readonly dkim: readonly Pick<DkimReport, 'selector' | 'domain' | 'usable'>[];
}

/** Compares the records that the service requires with DNS. */
export async function checkServiceRecords(
  { mail: { account }, asker, tell }: DomainCheck,
  usable: Usable,
): Promise<void> {
  for (const wanted of account?.wanted ?? []) {
    const { fqdn } = wanted;
    const type = typeOf(wanted);
    if (type === undefined || isTold(wanted, usable)) continue;
    const answer = await asker.ask(fqdn, type);
    if (answer.kind === 'failed') continue;
    const severity = wanted.required ? 'error' : 'warning';
    const evidence = [await asker.evidence(fqdn, type)];
    const more = { severity, evidence, publish: [wanted] } as const;
    if (answer.kind === 'none') {
      const minutes = Math.round((answer.ttl ?? 0) / 60);
      const doubled = await doubledName(fqdn, type, account?.registered, asker);
      const later =
        minutes === 0 ? '' : ` Resolvers may remember that for ${quantity(minutes, 'minute')}.`;
      tell('record-missing', `${type} ${fqdn} is missing.${doubled}${later}`, more);
      continue;
    }
    const values = answer.values.map((one) => (isSpf(one) ? withMeantMechanisms(one) : one));
    const { status, problem } = compare(wanted, values);
    if (status !== 'ok') tell(`record-${status}`, `${type} ${fqdn}: ${problem ?? ''}`, more);
    if ((answer.ttl ?? 0) > longTtl) {
      const days = Math.round((answer.ttl ?? 0) / longTtl);
      const message = `${type} ${fqdn} has a TTL of ${quantity(days, 'day')}, so receivers may use the old value that long after a change.`;
      tell('record-ttl', message, { evidence });
    }
  }
}

/** Whether SPF, DKIM or DMARC tell what is wrong with a record. */
function isTold({ fqdn, value }: WantedRecord, { spf, dkim }: Usable): boolean {
  if (/^v=DMARC1/i.test(value)) return true;
  const key = dkim.find(({ selector, domain }) => fqdn === `${selector}._domainkey.${domain}`);
  const isBroken = (one: { readonly usable: boolean | null } | undefined) => one?.usable === false;
  if (key !== undefined) return isBroken(key);
  return /^v=spf1/i.test(value) && isBroken(spf.find(({ domain }) => domain === fqdn));
}

/** The questions about all of these records. */
export function questionsOf({
  account,
  from,
  mailFrom,
}: DomainMail): (readonly [string, DnsType])[] {
  const wanted = (account?.wanted ?? []).flatMap((one) => {
    const type = typeOf(one);
    return type === undefined ? [] : [[one.fqdn, type] as const];
  });
  const all = [...wanted, [mailFrom ?? from, 'TXT'] as const, [`_dmarc.${from}`, 'TXT'] as const];
  return [...new Map(all.map((one) => [one.join(' '), one])).values()];
}

function typeOf({ type }: WantedRecord): 'MX' | 'TXT' | 'CNAME' | undefined {
  return type === 'MX' || type === 'TXT' || type === 'CNAME' ? type : undefined;
}
