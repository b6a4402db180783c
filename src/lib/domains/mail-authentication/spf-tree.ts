import type { DnsAnswer } from '../../../shared/dns-answer.ts';
import { isDomainName, plainName } from './ask.ts';
import { expandMacros, type MacroString, usesMacro } from './spf-macro.ts';
import { almostSpf, isSpf, parseSpf, type SpfSyntaxError, type SpfTerm } from './spf-record.ts';

/** A domain in an SPF tree: the one asked about, or one that it includes or redirects to. */
export interface SpfNode {
  readonly domain: string;
  /**
   * `loop` if the domain is above itself; `unasked` if the tree is too large, or receivers would not ask either. The
   * reason of `failed` is in `reason`.
   */
  readonly state: 'found' | 'none' | 'several' | 'failed' | 'loop' | 'unasked';
  readonly reason?: string;
  /** The SPF records here. */
  readonly records: readonly string[];
  /** Texts that were meant as SPF, if there are no records. */
  readonly almost?: readonly string[];
  /** Of the one record. */
  readonly errors: readonly SpfSyntaxError[];
  readonly terms: readonly SpfCost[];
  /** The look-ups of all its terms and of what is below them. */
  readonly lookups: number;
}

/** A term and what it costs a server that no mechanism matches. */
export interface SpfCost {
  readonly term: SpfTerm;
  /** False after `all`, and for `redirect=` beside an `all`: receivers never get there. */
  readonly reached: boolean;
  /** Its own look-up and all of those below; 0 for a term that needs no DNS or is not reached. */
  readonly lookups: number;
  /** The name it leads to; absent if it depends on the message (macros) or there is none. */
  readonly target?: string;
  /** How many records its own look-up has, for `a` (IPv4), `mx` and `exists`; absent if it was not asked. */
  readonly answers?: number;
  /** Why its own look-up failed. */
  readonly failure?: string;
  /** For `include` and `redirect=`. */
  readonly below?: SpfNode;
}

/** What a tree asks; any `Ask` will do. */
export type AskForSpf = (name: string, type: 'TXT' | 'A' | 'MX') => Promise<DnsAnswer>;

/** More domains than this are not asked: ten look-ups are allowed. */
const mostDomains = 40;

/**
 * Everything that the SPF record of a domain leads to, as a server with an IPv4 address that matches nothing makes
 * receivers look it up. Macros that depend on the message are not followed.
 */
export async function spfTree(domain: string, ask: AskForSpf): Promise<SpfNode> {
  return await grow(plainName(domain), [], { ask, left: mostDomains });
}

interface Growth {
  readonly ask: AskForSpf;
  left: number;
}

type Bare = Pick<SpfNode, 'state'> & Partial<Pick<SpfNode, 'records' | 'reason' | 'almost'>>;

async function grow(domain: string, above: readonly string[], growth: Growth): Promise<SpfNode> {
  const node = (bare: Bare): SpfNode => {
    return { domain, records: [], errors: [], terms: [], lookups: 0, ...bare };
  };
  if (above.includes(domain)) return node({ state: 'loop' });
  if (!isDomainName(domain)) return node({ state: 'none' });
  growth.left -= 1;
  if (growth.left < 0) return node({ state: 'unasked' });
  const answer = await growth.ask(domain, 'TXT');
  if (answer.kind === 'failed') return node({ state: 'failed', reason: answer.reason });
  const records = answer.kind === 'found' ? answer.values.filter(isSpf) : [];
  const [record] = records;
  if (record === undefined) {
    const texts = answer.kind === 'found' ? answer.values : [];
    const almost = texts.filter((text) => almostSpf(text) !== undefined);
    return node({ state: 'none', ...(almost.length > 0 ? { almost } : {}) });
  }
  if (records.length > 1) return node({ state: 'several', records });
  const { terms, errors } = parseSpf(record);
  const all = terms.findIndex((one) => one.kind === 'directive' && one.mechanism === 'all');
  const costs = await Promise.all(
    terms.map((term, index) => {
      const reached = all === -1 || (index <= all && term.kind === 'directive');
      return reached
        ? cost(term, domain, [...above, domain], growth)
        : { term, reached, lookups: 0 };
    }),
  );
  const lookups = costs.reduce((sum, one) => sum + one.lookups, 0);
  return { domain, state: 'found', records, errors, terms: costs, lookups };
}

async function cost(
  term: SpfTerm,
  domain: string,
  way: readonly string[],
  growth: Growth,
): Promise<SpfCost> {
  const base = { term, reached: true };
  const { name, spec } = leadsTo(term);
  if (name === undefined) return { ...base, lookups: 0 };
  const target = spec === undefined ? domain : staticName(spec, domain);
  // `%{p}` needs a look-up of its own (RFC 7208, 4.6.4).
  if (target === undefined) return { ...base, lookups: usesMacro(spec ?? [], 'p') ? 2 : 1 };
  if (name === 'include' || name === 'redirect') {
    const below = await grow(target, way, growth);
    return { ...base, lookups: 1 + below.lookups, target, below };
  }
  if (name === 'ptr' || !isDomainName(target)) return { ...base, lookups: 1, target };
  const answer = await growth.ask(target, name === 'mx' ? 'MX' : 'A');
  if (answer.kind === 'failed') return { ...base, lookups: 1, target, failure: answer.reason };
  const answers = answer.kind === 'found' ? answer.values.length : 0;
  return { ...base, lookups: 1, target, answers };
}

/** The mechanism or modifier, if it needs DNS, and its domain-spec. `exp=` is asked for after a failure only. */
function leadsTo(term: SpfTerm): { name?: string; spec?: MacroString | undefined } {
  if (term.kind === 'modifier')
    return term.name === 'redirect' ? { name: 'redirect', spec: term.value } : {};
  if (['all', 'ip4', 'ip6'].includes(term.mechanism)) return {};
  return { name: term.mechanism, spec: term.domain };
}

/** A domain-spec in which nothing depends on the message. */
function staticName(spec: MacroString, domain: string): string | undefined {
  const name = expandMacros(spec, { d: domain });
  return name === undefined ? undefined : plainName(name);
}

/** The nodes of a tree, from the top, each before those below it. */
export function nodesOf(node: SpfNode): SpfNode[] {
  return [node, ...node.terms.flatMap(({ below }) => (below === undefined ? [] : nodesOf(below)))];
}

/** How many look-ups of a tree have no answer; receivers allow two. */
export function voidLookups(tree: SpfNode): number {
  return nodesOf(tree).flatMap(({ terms }) => terms.filter(({ answers }) => answers === 0)).length;
}
