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

/** The problems of a tree: those of the whole first, then from the top down. */
export function spfProblems(tree: SpfNode): SpfProblem[] {
  const { domain } = tree;
  const problems = nodesOf(tree).flatMap((node) => problemsOf(node, node === tree));
  const voids = voidLookups(tree);
  // A loop has no end, so its look-ups cannot be counted.
  if (tree.lookups > spfLimits.lookups && !problems.some(({ code }) => code === 'loop')) {
    problems.unshift({
      ...{ code: 'too-many-lookups', effect: 'permerror', domain },
      sentence: `It needs ${tree.lookups} DNS look-ups; receivers give up after ${spfLimits.lookups} (RFC 7208, 4.6.4).`,
    });
  }
  if (voids > spfLimits.voidLookups) {
    problems.unshift({
      ...{ code: 'too-many-void-lookups', effect: 'permerror', domain },
      sentence: `${voids} of its look-ups find nothing; receivers give up after ${spfLimits.voidLookups} (RFC 7208, 4.6.4).`,
    });
  }
  const addresses = allowedIn(tree);
  if (addresses > mostAddresses) {
    problems.unshift({
      ...{ code: 'too-wide', effect: 'advice', domain },
      sentence: `It allows ${grouped(addresses)} IPv4 addresses to send as this domain, more than a /8 has: anybody can rent one of them.`,
    });
  }
  return problems;
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
  const { domain, state, records, errors, terms } = node;
  const problem = (
    code: SpfProblem['code'],
    effect: SpfProblem['effect'],
    sentence: string,
    term?: string,
  ): SpfProblem => ({ code, effect, domain, ...(term === undefined ? {} : { term }), sentence });
  switch (state) {
    case 'none':
      // What leads here names it.
      if (!isTop) return [];
      if (node.almost === undefined) {
        return [problem('no-record', 'none', `${domain} has no SPF record.`)];
      }
      return node.almost.map((text) => {
        const { sentence = '' } = almostSpf(text) ?? {};
        return problem(
          'beginning',
          'none',
          `${domain}: receivers ignore ${text}. ${sentence}`,
          text,
        );
      });
    case 'several':
      return [
        problem(
          'several-records',
          'permerror',
          `${domain} has ${records.length} SPF records; with more than one, receivers ignore them all (RFC 7208, 4.5).`,
        ),
      ];
    case 'failed':
      return [problem('lookup-failed', 'temperror', `${domain}: ${node.reason ?? ''}`)];
    case 'loop':
      return [
        problem('loop', 'permerror', `${domain} includes itself, so the look-ups never end.`),
      ];
    case 'unasked':
      return [];
    case 'found':
      break;
  }
  const [record = ''] = records;
  const octets = Buffer.byteLength(record);
  return [
    ...errors.map(({ text, sentence }) => {
      return problem('syntax', 'permerror', `${text}: ${sentence}`, text);
    }),
    ...terms
      .filter((one) => isTop && isNeutral(one))
      .map(({ term: { text } }) => {
        const sentence = `${text} says nothing about other servers, as if it were not there.`;
        return problem('neutral-all', 'advice', sentence, text);
      }),
    ...terms.flatMap((one) =>
      problemsOfTerm(one).map(([code, effect, sentence]) => {
        return problem(code, effect, sentence, one.term.text);
      }),
    ),
    ...(isTop && !terms.some(ends)
      ? [
          problem(
            'no-all',
            'advice',
            'It does not end with all, so other servers are neither allowed nor forbidden.',
          ),
        ]
      : []),
    ...(octets > mostOctets
      ? [
          problem(
            'too-long',
            'advice',
            `The record of ${domain} has ${octets} octets; with more than ${mostOctets} its response may not fit into one packet (RFC 7208, 3.4).`,
          ),
        ]
      : []),
  ];
}

function ends({ term }: SpfCost): boolean {
  return term.kind === 'directive' ? term.mechanism === 'all' : term.name === 'redirect';
}

function isNeutral({ term, reached }: SpfCost): boolean {
  return reached && term.kind === 'directive' && term.mechanism === 'all' && term.qualifier === '?';
}

type Told = readonly [SpfProblem['code'], SpfProblem['effect'], string];

function problemsOfTerm(one: SpfCost): Told[] {
  const { term, reached, target, answers = 0, below, failure } = one;
  const { text } = term;
  const mistaken = meantMechanism(term);
  if (mistaken !== undefined) return [['equals-sign', 'advice', mistaken.sentence]];
  if (!reached) {
    const counts = term.kind === 'directive' || term.name === 'redirect';
    return counts
      ? [['unreached', 'advice', `${text} has no effect, because all comes first.`]]
      : [];
  }
  const told: Told[] = [];
  if (below?.state === 'none') {
    told.push([
      'target-without-record',
      'permerror',
      `${text}: ${target ?? ''} has no SPF record.`,
    ]);
  }
  if (failure !== undefined) told.push(['lookup-failed', 'temperror', `${text}: ${failure}`]);
  if (term.kind !== 'directive') return told;
  if (term.mechanism === 'mx' && answers > spfLimits.names) {
    told.push([
      'too-many-servers',
      'permerror',
      `${text}: there are more than ${spfLimits.names} MX records (RFC 7208, 4.6.4).`,
    ]);
  }
  if (term.mechanism === 'all' && term.qualifier === '+') {
    told.push([
      'passes-all',
      'advice',
      `${text} allows every server in the world to send as this domain.`,
    ]);
  }
  if (term.mechanism === 'ptr') {
    told.push([
      'ptr',
      'advice',
      `${text} is slow and unreliable, and some receivers skip it (RFC 7208, 5.5).`,
    ]);
  }
  if (term.mechanism === 'include' && target === undefined) {
    told.push([
      'macro-target',
      'advice',
      `${text} depends on each message, so what it needs is not counted here.`,
    ]);
  }
  return told;
}
