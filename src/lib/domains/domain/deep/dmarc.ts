import { isAligned } from '../../mail-authentication/alignment.ts';
import type { Ask } from '../../mail-authentication/ask.ts';
import { repairedDmarc } from '../../mail-authentication/dmarc-mistakes.ts';
import { type DmarcRecord, parseDmarc } from '../../mail-authentication/dmarc-record.ts';
import {
  type DmarcDiscovery,
  type DmarcInForce,
  discoverDmarc,
} from '../../mail-authentication/dmarc-tree-walk.ts';
import { reportPermission } from '../../mail-authentication/report-permission.ts';
import type { Asker } from './asker.ts';
import type { DkimReport, DmarcOutcome, DmarcVerdict, SpfReport } from './deep-shapes.ts';
import type { DomainMail } from './domain-mail.ts';
import { type DomainCheck, txt } from './finding.ts';
import { allKnown, anyKnown } from './maybe-known.ts';

/** Checks DMARC of the From domain, given what SPF and DKIM lead to. */
export async function checkDmarc(
  check: DomainCheck,
  { spf, dkim }: { readonly spf: readonly SpfReport[]; readonly dkim: readonly DkimReport[] },
): Promise<DmarcVerdict> {
  const { mail, asker, tell } = check;
  const found = await discoverDmarc(mail.from, asker.ask);
  const { inForce } = found;
  if (found.failure === undefined) await tellAboutRecords(check, found);
  const { record } = inForce ?? {};
  // Without a record, alignment is that of the one to publish: what a policy would do is the question.
  const missing = inForce === undefined ? `_dmarc.${placeOf(mail)}` : undefined;
  const ask: Ask = async (name, type) =>
    name === missing && type === 'TXT'
      ? { kind: 'found', values: [firstRecord] }
      : await asker.ask(name, type);
  const compare = async (domain: string, strict: boolean) =>
    (await isAligned(mail.from, domain, { strict }, ask)) ?? null;
  const spfAligned =
    mail.mailFrom === undefined ? null : await compare(mail.mailFrom, record?.strictSpf === true);
  const keys = await Promise.all(
    dkim.map(async (one) => ({
      ...one,
      aligned: await compare(one.domain, record?.strictDkim === true),
    })),
  );
  const dkimAligned = keys.length === 0 ? null : anyKnown(keys.map(({ aligned }) => aligned));
  const [path] = spf;
  const bySpf = allKnown([spfAligned, path?.usable ?? null]);
  const byDkim =
    keys.length === 0
      ? null
      : anyKnown(keys.map(({ aligned, usable }) => allKnown([aligned, usable])));
  const passes = mail.account === undefined ? null : anyKnown([bySpf, byDkim]);
  const policy = inForce?.applied ?? null;
  if (passes === false) {
    const bites = policy === 'quarantine' || policy === 'reject';
    const effect = bites ? `receivers ${policy} it` : 'no receiver can tell it from forged mail';
    tell(
      'dmarc-unaligned',
      `Mail of this account from ${mail.from} fails DMARC, because neither SPF nor DKIM passes for a domain aligned with it; ${effect}.`,
      {
        severity: bites ? 'error' : 'warning',
        evidence: [await recordEvidence(inForce, mail, asker)],
      },
    );
  }
  return {
    record: record?.text ?? null,
    domain: inForce?.domain ?? null,
    tag: inForce?.tag ?? null,
    policy,
    organizationalDomain: found.organizationalDomain ?? null,
    ...{ spfAligned, dkimAligned, passes },
    fates: fatesOf(passes),
  };
}

/** A record that changes nothing yet. */
const firstRecord = 'v=DMARC1; p=none;';

/** Where a DMARC record belongs: at the registered domain if that is known, so that subdomains have it, too. */
function placeOf({ from, account }: DomainMail): string {
  const registered = account?.registered;
  return registered !== undefined && from.endsWith(`.${registered}`) ? registered : from;
}

function fatesOf(passes: boolean | null): DmarcVerdict['fates'] {
  const unless = (fate: DmarcOutcome) =>
    passes === null ? 'unknown' : passes ? 'delivered' : fate;
  return {
    none: 'delivered',
    quarantine: unless('quarantined'),
    reject: unless('rejected'),
  };
}

async function tellAboutRecords(check: DomainCheck, found: DmarcDiscovery): Promise<void> {
  const { mail, asker, tell } = check;
  const { inForce, walk } = found;
  const { from } = mail;
  for (const { domain, records, mistaken } of walk.steps) {
    const name = `_dmarc.${domain}`;
    const evidence = [await asker.evidence(name, 'TXT')];
    for (const { text, sentence, repaired } of mistaken) {
      // Where a record above is in force, a weaker one would not only be a repair.
      const isWeaker =
        repaired === undefined || strength(parseDmarc(repaired).p) < strength(inForce?.policy);
      const publish = isWeaker || mistaken.length > 1 ? [] : [txt(name, repaired)];
      const message = `${name}: receivers ignore the record ${text}. ${sentence}`;
      tell('dmarc-invalid', message, { evidence, publish });
    }
    if (records.length > 1) {
      const message = `_dmarc.${domain} has ${records.length} DMARC records; with more than one, receivers ignore them all.`;
      tell('dmarc-several', message, { evidence });
    }
    const [text] = records;
    if (text === undefined || records.length > 1) continue;
    const invalid = parseDmarc(text).problems.find(({ code }) => code === 'invalid');
    if (invalid !== undefined) {
      tell('dmarc-invalid', `_dmarc.${domain}: ${invalid.sentence}`, { evidence });
    }
  }
  if (inForce === undefined) {
    const known = walk.steps.some(({ records, mistaken }) => records.length + mistaken.length > 0);
    const name = `_dmarc.${placeOf(mail)}`;
    const wanted = mail.account?.wanted.filter(({ fqdn, value }) => {
      return /^v=DMARC1/i.test(value) && fqdn === name;
    });
    const publish = wanted?.length ? wanted : [txt(name, firstRecord)];
    const evidence = [await asker.evidence(`_dmarc.${from}`, 'TXT')];
    const message = `No DMARC record is in force for ${from}; Gmail, Yahoo and Outlook require one from bulk senders.`;
    if (!known) tell('dmarc-missing', message, { evidence, publish });
    return;
  }
  await tellAboutPolicy(check, inForce);
  await tellAboutReports(check, inForce);
}

async function tellAboutPolicy(check: DomainCheck, inForce: DmarcInForce): Promise<void> {
  const { mail, asker, tell } = check;
  const { record, domain, policy } = inForce;
  const name = `_dmarc.${domain}`;
  const evidence = [await recordEvidence(inForce, mail, asker)];
  const weak = (['sp', 'np'] as const).filter((tag) => {
    const own = record[tag];
    return record.use === 'policy' && own !== undefined && strength(own) < strength(record.p);
  });
  // One repair for all problems, so that it is published once.
  // Some receivers still follow pct=, so that mail may be lost without it: only people know whether it is ready for that.
  const keeps = (tag: string | undefined) => tag === 'pct' && isBelowAll(record.text);
  const drops = (tag: string) =>
    (removed.includes(tag) && !keeps(tag)) || weak.some((one) => one === tag);
  const repaired =
    record.use === 'policy' ? withoutTags(record.text, drops) : withValidPolicy(record);
  const publish = repaired === undefined ? [] : [txt(name, repaired)];
  for (const { code, tag, sentence } of record.problems) {
    if (code === 'invalid') continue;
    const isRepaired = (code === 'removed' && !keeps(tag)) || code === 'no-policy';
    tell(`dmarc-${code}`, `${name}: ${sentence}`, { evidence, publish: isRepaired ? publish : [] });
  }
  if (policy === 'none' && record.use === 'policy') {
    const message = `${name}: the policy is none, so receivers deliver forged mail, too. docs/recipes.md has the steps to p=reject.`;
    tell('dmarc-none', message, { evidence });
  }
  if (weak.length > 0) {
    const tags = weak.map((tag) => `${tag}=${record[tag]}`).join(' and ');
    const message = `${name}: ${tags} is weaker than p=${record.p}, so others can forge mail from subdomains.`;
    tell('dmarc-subdomains', message, { evidence, publish });
  }
}

async function tellAboutReports({ asker, tell }: DomainCheck, { record, domain }: DmarcInForce) {
  const name = `_dmarc.${domain}`;
  const evidence = [await asker.evidence(name, 'TXT')];
  if (record.rua.length === 0) {
    const message = `${name} asks for no reports (rua), so nobody sees what fails.`;
    tell('dmarc-no-reports', message, { evidence });
  }
  for (const address of new Set([...record.rua, ...record.ruf])) {
    const { state, host, record: needed } = await reportPermission(domain, address, asker.ask);
    if (state === 'unsupported') {
      const message = `${name}: receivers need not send reports to ${address}; give a mailto: address.`;
      tell('dmarc-report-address', message, { evidence });
    }
    if (state === 'missing' && needed !== undefined) {
      const message = `${name}: ${host ?? ''} does not permit reports about ${domain}, so receivers do not send them there.`;
      const more = [...evidence, await asker.evidence(needed, 'TXT')];
      tell('dmarc-report-permission', message, {
        evidence: more,
        publish: [txt(needed, 'v=DMARC1;')],
      });
    }
  }
}

async function recordEvidence(
  inForce: DmarcInForce | undefined,
  { from }: DomainMail,
  asker: Asker,
) {
  return await asker.evidence(`_dmarc.${inForce?.domain ?? from}`, 'TXT');
}

const removed = ['pct', 'rf', 'ri'];

/** Whether `pct=` asks for less than all mail. */
function isBelowAll(text: string): boolean {
  return Number(/;\s*pct\s*=\s*(\d+)\s*(?:;|$)/.exec(text)?.[1] ?? 100) < 100;
}

/** The record without some of its tags. */
function withoutTags(text: string, drops: (tag: string) => boolean): string {
  const parts = text.split(';').map((part) => part.trim());
  const kept = parts.filter((part) => part !== '' && !drops(part.split('=')[0]?.trim() ?? ''));
  return `${kept.join('; ')};`;
}

/** A record with a policy that is not valid, repaired: what was meant, else the weakest, unless that may weaken it. */
function withValidPolicy({ text, p }: DmarcRecord): string | undefined {
  const meant = repairedDmarc(text);
  if (meant !== undefined) return `${meant};`;
  if (p === undefined && /quarantine|reject/i.test(text)) return undefined;
  const kept = withoutTags(text, (tag) => ['v', 'p', 'sp', 'np', ...removed].includes(tag));
  return `v=DMARC1; p=${p ?? 'none'};${kept === ';' ? '' : ` ${kept}`}`;
}

function strength(policy: 'none' | 'quarantine' | 'reject' | undefined): number {
  return policy === undefined ? 0 : ['none', 'quarantine', 'reject'].indexOf(policy);
}
