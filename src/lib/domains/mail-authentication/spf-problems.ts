import type { CodeAbout } from '../../../shared/check/domain-codes.ts';
import { grouped } from '../../../shared/grouped.ts';
import { almostSpf, meantMechanism } from './spf-record.ts';
import { nodesOf, type SpfCost, type SpfNode, voidLookups } from './spf-tree.ts';

/** The limits of RFC 7208, 4.6.4: terms that need DNS, of these without an answer, and names of one MX or PTR. */
export const spfLimits = { lookups: 10, voidLookups: 2, names: 10 } as const;

/**
 * What is wrong with an SPF record and all that it leads to.
 *
 * - `permerror`: receivers do not use the record.
 * - `temperror`: DNS gave no answer, so nobody knows.
 * - `none`: there is no record.
 * - `advice`: receivers use it, but its owner should change it.
 */
export interface SpfProblem {
  readonly code: CodeAbout<'spf'> | 'lookup-failed';
  readonly effect: 'permerror' | 'temperror' | 'none' | 'advice';
  /** The domain whose record has it. */
  readonly domain: string;
  /** The term that has it, as written. */
  readonly term?: string;
  /** Ends in a period. */
  readonly sentence: string;
}

/** The longest record that leaves room for the rest of a response in 512 octets (RFC 7208, 3.4). */
const mostOctets = 450;

/** What receivers make of each problem; all others are advice. */
const effects: Readonly<Partial<Record<SpfProblem['code'], SpfProblem['effect']>>> = {
  'no-record': 'none',
  beginning: 'none',
  'lookup-failed': 'temperror',
  loop: 'permerror',
  syntax: 'permerror',
  'several-records': 'permerror',
  'target-without-record': 'permerror',
  'too-many-lookups': 'permerror',
  'too-many-servers': 'permerror',
  'too-many-void-lookups': 'permerror',
};

type Tell = (code: SpfProblem['code'], sentence: string, term?: string) => void;

/** Returns a list of problems of a domain's record, and a function that adds one. */
function listFor(domain: string) {
  const problems: SpfProblem[] = [];
  const tell: Tell = (code, sentence, term) => {
    const shared = { code, effect: effects[code] ?? 'advice', domain, sentence };
    problems.push(term === undefined ? shared : { ...shared, term });
  };
  return { problems, tell };
}

/** The problems of a tree: those of the whole first, then from the top down. */
export function spfProblems(tree: SpfNode): SpfProblem[] {
  const below = nodesOf(tree).flatMap((node) => problemsOf(node, node === tree));
  const { problems, tell } = listFor(tree.domain);
  const addresses = allowedIn(tree);
  if (addresses > mostAddresses) {
    tell(
      'too-wide',
      `It allows ${grouped(addresses)} IPv4 addresses to send as this domain, more than a /8 has: anybody can rent one of them.`,
    );
  }
  const voids = voidLookups(tree);
  if (voids > spfLimits.voidLookups) {
    tell(
      'too-many-void-lookups',
      `${voids} of its look-ups find nothing; receivers give up after ${spfLimits.voidLookups} (RFC 7208, 4.6.4).`,
    );
  }
  // A loop has no end, so its look-ups cannot be counted.
  if (tree.lookups > spfLimits.lookups && !below.some(({ code }) => code === 'loop')) {
    tell(
      'too-many-lookups',
      `It needs ${tree.lookups} DNS look-ups; receivers give up after ${spfLimits.lookups} (RFC 7208, 4.6.4).`,
    );
  }
  return [...problems, ...below];
}

/** The addresses of a /8; no organization has more. */
const mostAddresses = 2 ** 24;

/** How many IPv4 addresses the ranges of a tree allow, or as many for a range of IPv6 that is wider than any owner's; those that are repeated count once. */
function allowedIn(tree: SpfNode): number {
  const ranges = new Map<string, number>();
  for (const { term, reached } of nodesOf(tree).flatMap(({ terms }) => terms)) {
    if (!reached || term.kind !== 'directive' || term.qualifier !== '+') continue;
    const { mechanism, prefix4, prefix6, text } = term;
    if (mechanism === 'ip6') ranges.set(text, prefix6 < widest6 ? 2 ** 32 : 0);
    if (mechanism === 'ip4' || mechanism === 'a' || mechanism === 'mx') {
      ranges.set(text, 2 ** (32 - prefix4));
    }
  }
  return Math.min(
    2 ** 32,
    [...ranges.values()].reduce((sum, one) => sum + one, 0),
  );
}

/** The shortest prefix of IPv6 that one organization has. */
const widest6 = 16;

function problemsOf(node: SpfNode, isTop: boolean): SpfProblem[] {
  const { domain, state, records, almost = [], reason = '' } = node;
  const { problems, tell } = listFor(domain);
  // What leads to a domain without a record names it.
  if (state === 'none' && isTop) {
    if (almost.length === 0) tell('no-record', `${domain} has no SPF record.`);
    for (const text of almost) {
      const { sentence = '' } = almostSpf(text) ?? {};
      tell('beginning', `${domain}: receivers ignore ${text}. ${sentence}`, text);
    }
  }
  if (state === 'several') {
    tell(
      'several-records',
      `${domain} has ${records.length} SPF records; with more than one, receivers ignore them all (RFC 7208, 4.5).`,
    );
  }
  if (state === 'failed') tell('lookup-failed', `${domain}: ${reason}`);
  if (state === 'loop') tell('loop', `${domain} includes itself, so the look-ups never end.`);
  if (state === 'found') tellAboutRecord(node, isTop, tell);
  return problems;
}

function tellAboutRecord(node: SpfNode, isTop: boolean, tell: Tell): void {
  const { domain, records, errors, terms } = node;
  for (const { text, sentence } of errors) tell('syntax', `${text}: ${sentence}`, text);
  for (const { term } of terms.filter((one) => isTop && isNeutral(one))) {
    const { text } = term;
    tell('neutral-all', `${text} says nothing about other servers, as if it were not there.`, text);
  }
  for (const one of terms) tellAboutTerm(one, tell);
  if (isTop && !terms.some(ends)) {
    tell('no-all', 'It does not end with all, so other servers are neither allowed nor forbidden.');
  }
  const octets = Buffer.byteLength(records[0] ?? '');
  if (octets > mostOctets) {
    tell(
      'too-long',
      `The record of ${domain} has ${octets} octets; with more than ${mostOctets} its response may not fit into one packet (RFC 7208, 3.4).`,
    );
  }
}

function ends({ term }: SpfCost): boolean {
  return term.kind === 'directive' ? term.mechanism === 'all' : term.name === 'redirect';
}

function isNeutral({ term, reached }: SpfCost): boolean {
  return reached && term.kind === 'directive' && term.mechanism === 'all' && term.qualifier === '?';
}

function tellAboutTerm(one: SpfCost, tell: Tell): void {
  const { term, reached, target, answers = 0, below, failure } = one;
  const { text } = term;
  const mistaken = meantMechanism(term);
  if (mistaken !== undefined) {
    tell('equals-sign', mistaken.sentence, text);
    return;
  }
  if (!reached) {
    const counts = term.kind === 'directive' || term.name === 'redirect';
    if (counts) tell('unreached', `${text} has no effect, because all comes first.`, text);
    return;
  }
  if (below?.state === 'none') {
    tell('target-without-record', `${text}: ${target ?? ''} has no SPF record.`, text);
  }
  if (failure !== undefined) tell('lookup-failed', `${text}: ${failure}`, text);
  if (term.kind !== 'directive') return;
  const { mechanism, qualifier } = term;
  if (mechanism === 'mx' && answers > spfLimits.names) {
    const sentence = `${text}: there are more than ${spfLimits.names} MX records (RFC 7208, 4.6.4).`;
    tell('too-many-servers', sentence, text);
  }
  if (mechanism === 'all' && qualifier === '+') {
    tell('passes-all', `${text} allows every server in the world to send as this domain.`, text);
  }
  if (mechanism === 'ptr') {
    tell(
      'ptr',
      `${text} is slow and unreliable, and some receivers skip it (RFC 7208, 5.5).`,
      text,
    );
  }
  if (mechanism === 'include' && target === undefined) {
    const sentence = `${text} depends on each message, so what it needs is not counted here.`;
    tell('macro-target', sentence, text);
  }
}
