import { dkimKeyAt } from '../../mail-authentication/dkim-key.ts';
import type { DnsType } from '../../system/dns.ts';
import { quantity } from '../../text/quantity.ts';
import { compare } from '../dns/compare-records.ts';
import type { WantedRecord } from '../dns/wanted-records.ts';
import type { Asker } from './asker.ts';
import type { DkimReport, SpfReport } from './deep-shapes.ts';
import { checkDmarc } from './dmarc.ts';
import { createFindings, type DomainCheck } from './finding.ts';
import { compareServers, findRemembered, findZone } from './name-servers.ts';
import { factsOf, receiverRules } from './receivers.ts';
import { checkSpf } from './spf.ts';
import type { Subject } from './subject.ts';

/** Checks whether mail from a domain is likely to be accepted. Asks only DNS. */
export async function checkDomain(subject: Subject, asker: Asker) {
  const { domain, account, from, mailFrom } = subject;
  const { tell, all } = createFindings(domain);
  const check = { subject, asker, tell };
  const zone = await findZone(check);
  const [spf, dkim, replies] = await Promise.all([
    checkSpf(check),
    checkDkim(check),
    checkFrom(check),
    checkWildcards(check),
  ]);
  const dmarc = await checkDmarc(check, { spf, dkim });
  await checkServiceRecords(check, { spf, dkim });
  const questions = questionsOf(subject);
  if (zone !== undefined) {
    await compareServers(check, zone, questions);
    await findRemembered(check, questions);
  }
  for (const loop of asker.loops()) tell('alias-loop', loop);
  const isKnown = mailFrom !== undefined;
  return {
    report: {
      ...{ domain, from, spf, dkim, dmarc },
      inAccount: account !== undefined,
      mailFrom: mailFrom ?? null,
      zone: zone?.name ?? null,
      receivers: receiverRules(factsOf(spf, dkim, dmarc, { isKnown, replies })),
      failures: asker.failures(),
    },
    findings: all(),
  };
}

/** Checks the key of every selector. */
async function checkDkim({ subject, asker, tell }: DomainCheck): Promise<DkimReport[]> {
  return await Promise.all(
    subject.selectors.map(async ({ selector, domain }): Promise<DkimReport> => {
      const name = `${selector}._domainkey.${domain}`;
      const base = { selector, domain, type: null, bits: null };
      const answer = await asker.ask(name, 'TXT');
      if (answer.kind === 'failed') return { ...base, usable: null };
      const publish = (subject.account?.wanted ?? []).filter(({ fqdn }) => fqdn === name);
      const more = { evidence: [await asker.evidence(name, 'TXT')], publish };
      const at = dkimKeyAt(answer.kind === 'found' ? answer.values : []);
      if (at.state !== 'found') {
        const [code, sentence] = problemsAt[at.state];
        const registered = at.state === 'none' ? subject.account?.registered : undefined;
        const doubled = await doubledName(name, 'TXT', registered, asker);
        tell(code, `${name} ${sentence}${doubled}`, more);
        return { ...base, usable: false };
      }
      const { type, bits = null, problems } = at.key;
      for (const { code, sentence } of problems) {
        // The service decides the size and the mode of its keys, so its record would not help.
        const repairs = code === 'short' || code === 'testing' ? [] : publish;
        tell(`dkim-${code}`, `${name}: ${sentence}`, { ...more, publish: repairs });
      }
      const usable = !problems.some(({ effect }) => effect === 'unusable');
      return { ...base, type, bits, usable };
    }),
  );
}

const problemsAt = {
  none: ['dkim-missing', 'has no key, so receivers cannot verify signatures.'],
  several: ['dkim-several', 'has several records; which one receivers use is undefined.'],
  split: ['dkim-split', 'has its key in several records; put it in one, as several strings.'],
} as const;

/** Checks whether the From domain takes mail: null if DNS failed. */
async function checkFrom({ subject, asker, tell }: DomainCheck): Promise<boolean | null> {
  const { from } = subject;
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
async function checkWildcards({ subject, asker, tell }: DomainCheck): Promise<void> {
  const { from, selectors } = subject;
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

/** More than a day: a mistake stays that long. */
const longTtl = 86_400;

/** What SPF and DKIM led to, whose findings are not told twice. */
interface Usable {
  readonly spf: readonly Pick<SpfReport, 'domain' | 'usable'>[];
  readonly dkim: readonly Pick<DkimReport, 'selector' | 'domain' | 'usable'>[];
}

/** Compares the records that the service requires with DNS. */
async function checkServiceRecords(
  { subject: { account }, asker, tell }: DomainCheck,
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
    const { status, problem } = compare(wanted, answer.values);
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
function questionsOf({ account, from, mailFrom }: Subject): (readonly [string, DnsType])[] {
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

/** A sentence, after a space, if a record is published with the domain appended twice, as control panels do it. */
async function doubledName(
  name: string,
  type: DnsType,
  registered: string | undefined,
  asker: Asker,
): Promise<string> {
  const doubled = `${name}.${registered}`;
  if (registered === undefined || name === registered || doubled.length > 253) return '';
  // A failure there says nothing about the record itself.
  const { answer } = await asker.evidence(doubled, type);
  return answer.length > 0
    ? ` It is published as ${doubled}: enter the name without .${registered}.`
    : '';
}
