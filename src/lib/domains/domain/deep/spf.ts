import { type SpfProblem, spfProblems } from '../../mail-authentication/spf-problems.ts';
import { almostSpf, meantMechanism, parseSpf } from '../../mail-authentication/spf-record.ts';
import { type SpfNode, spfTree, voidLookups } from '../../mail-authentication/spf-tree.ts';
import type { WantedRecord } from '../dns/wanted-records.ts';
import type { SpfReport } from './deep-shapes.ts';
import { type DomainCheck, txt } from './finding.ts';
import { allKnown } from './maybe-known.ts';

/** Checks SPF of the return path and, separately, of the From domain. */
export async function checkSpf(check: DomainCheck): Promise<SpfReport[]> {
  const { asker } = check;
  const { from, mailFrom } = check.mail;
  const roles = [
    { role: 'mail-from', domain: mailFrom ?? from },
    ...(mailFrom === undefined || mailFrom === from
      ? []
      : [{ role: 'from', domain: from } as const]),
  ] as const;
  return await Promise.all(
    roles.map(async ({ role, domain }) => {
      const tree = await spfTree(domain, asker.ask);
      const problems = spfProblems(tree);
      await report(check, role, tree, problems);
      const usable = allKnown(problems.map(({ effect }) => usableWith[effect]));
      const [record = null] = tree.state === 'found' ? tree.records : [];
      const { lookups } = tree;
      const terms = termsOf(tree);
      return { role, domain, record, lookups, voidLookups: voidLookups(tree), terms, usable };
    }),
  );
}

/** Whether receivers use a record that has a problem of this effect; null if that is not known. */
const usableWith = { permerror: false, none: false, temperror: null, advice: true } as const;

async function report(
  { mail, asker, tell }: DomainCheck,
  role: SpfReport['role'],
  tree: SpfNode,
  problems: readonly SpfProblem[],
): Promise<void> {
  const repaired = repairedRecord(tree, problems);
  for (const { code, domain, sentence } of problems) {
    // DNS failures are no findings; the asker knows them.
    if (code === 'lookup-failed') continue;
    const evidence = [await asker.evidence(domain, 'TXT')];
    if (code === 'no-record') {
      const wanted = mail.account?.wanted.filter((one) => one.fqdn === domain && isSpfValue(one));
      // Without an account, nobody knows whether this domain is the return path.
      const severity = role === 'from' ? 'info' : mail.mailFrom === undefined ? 'warning' : 'error';
      const message =
        role === 'from'
          ? `${domain} has no SPF record; mail with the return path ${mail.mailFrom} does not need one, but others can use the domain.`
          : sentence;
      tell(`spf-${code}`, message, { evidence, severity, publish: wanted ?? [] });
      continue;
    }
    const isOwn = domain === tree.domain;
    const publish = isOwn && repaired !== undefined ? [txt(tree.domain, repaired)] : [];
    const message = sentence.includes(domain) ? sentence : `SPF of ${domain}: ${sentence}`;
    tell(`spf-${code}`, message, {
      evidence,
      publish,
      ...(role === 'from' ? lessSevere(code) : {}),
    });
  }
}

/** Of a From domain that is not the return path, only what lets others in is as bad. */
function lessSevere(code: SpfProblem['code']) {
  return code === 'passes-all' || code === 'too-wide' || code === 'macro-target'
    ? {}
    : ({ severity: 'warning' } as const);
}

function isSpfValue({ value }: WantedRecord) {
  return /^v=spf1(\s|$)/i.test(value);
}

/**
 * The record without what receivers stumble over; undefined if only the owner knows what it should be. One repair for
 * all problems, so that it is published once.
 */
function repairedRecord(tree: SpfNode, problems: readonly SpfProblem[]): string | undefined {
  const [almost, ...others] = tree.almost ?? [];
  if (almost !== undefined) return others.length > 0 ? undefined : almostSpf(almost)?.meant;
  const own = problems.filter(({ domain }) => domain === tree.domain);
  const has = (code: SpfProblem['code']) => own.some((one) => one.code === code);
  if (has('syntax')) return undefined;
  if (has('several-records')) return merged(tree.records);
  const dropped = new Set(
    own
      .filter(
        ({ code }) => code === 'ptr' || code === 'unreached' || code === 'target-without-record',
      )
      .map(({ term }) => term),
  );
  for (const { term, answers, below } of tree.terms) {
    if (has('too-many-void-lookups') && answers === 0) dropped.add(term.text);
    if (below?.state === 'loop') dropped.add(term.text);
  }
  const kept = tree.terms.flatMap(({ term }) => {
    const text = meantMechanism(term)?.meant ?? term.text;
    if (dropped.has(text)) return [];
    return (has('passes-all') && /^\+?all$/i.test(text)) || /^\?all$/i.test(text)
      ? ['~all']
      : [text];
  });
  if (has('no-all')) kept.push('~all');
  const record = ['v=spf1', ...kept].join(' ');
  return record === tree.records[0] || parseSpf(record).errors.length > 0 ? undefined : record;
}

/** All terms of several records, ending as the strictest of them. */
function merged(records: readonly string[]): string {
  const terms = records.flatMap((one) => one.split(/ +/).slice(1)).filter((one) => one !== '');
  const ends = terms.filter((one) => /^[-~?+]?all$/i.test(one)).map((one) => one.toLowerCase());
  const end = ['-all', '~all', '?all'].find((one) => ends.includes(one)) ?? '~all';
  const others = terms.filter((one) => !/^[-~?+]?all$/i.test(one));
  return ['v=spf1', ...new Set(others), end].join(' ');
}

function termsOf(node: SpfNode, depth = 0): SpfReport['terms'][number][] {
  return node.terms.flatMap(({ term, lookups, below }) => [
    { depth, term: term.text, lookups },
    ...(below === undefined ? [] : termsOf(below, depth + 1)),
  ]);
}
