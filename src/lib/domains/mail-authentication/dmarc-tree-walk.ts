import { type Ask, plainName } from './ask.ts';
import { type MistakenDmarc, mistakenDmarc } from './dmarc-mistakes.ts';
import { type DmarcPolicy, type DmarcRecord, isDmarc, parseDmarc } from './dmarc-record.ts';

/** A name that a tree walk asks, `_dmarc.` left out. */
export interface WalkStep {
  readonly domain: string;
  /** The DMARC records there: with more than one, none of them counts. */
  readonly records: readonly string[];
  /** What receivers ignore because of a mistake, where there are no records. */
  readonly mistaken: readonly MistakenDmarc[];
  /** The one record, if it is valid. */
  readonly record: DmarcRecord | undefined;
}

/** What a DNS tree walk (RFC 9989, 4.10) found. */
export type TreeWalk = Awaited<ReturnType<typeof walkTree>>;

/** A walk asks at most eight names: the first, and its last seven labels and upwards. */
const mostLabels = 7;

/** Asks `_dmarc` below a domain and the names above it, until one says by `psd=` that it is the last. */
export async function walkTree(domain: string, ask: Ask) {
  /** From the longest name to the shortest. */
  const steps: WalkStep[] = [];
  let labels = plainName(domain).split('.');
  while (labels.length > 0) {
    const name = labels.join('.');
    const answer = await ask(`_dmarc.${name}`, 'TXT');
    // Ends the walk.
    if (answer.kind === 'failed') return { steps, failure: answer.reason };
    const values = answer.kind === 'found' ? answer.values : [];
    const records = values.filter(isDmarc);
    const mistaken = records.length > 0 ? [] : values.flatMap((one) => mistakenDmarc(one) ?? []);
    const [only] = records;
    const parsed = only === undefined || records.length > 1 ? undefined : parseDmarc(only);
    const record = parsed?.problems.some(({ code }) => code === 'invalid') ? undefined : parsed;
    steps.push({ domain: name, records, mistaken, record });
    if (record !== undefined && record.psd !== 'u') break;
    labels = labels.length > mostLabels ? labels.slice(-mostLabels) : labels.slice(1);
  }
  return { steps, failure: undefined };
}

/** The organizational domain of the name that a walk started at (RFC 9989, 4.10.2). The walk must have ended. */
export function organizationalDomain({ steps }: TreeWalk): string {
  const start = steps[0]?.domain ?? '';
  const found = steps.filter(({ record }) => record !== undefined);
  const last = found.at(-1);
  // Only the last one has `psd=y` or `psd=n`, because it ends the walk.
  if (last?.record?.psd === 'y' && last.domain !== start) return oneBelow(start, last.domain);
  return last?.domain ?? start;
}

function oneBelow(name: string, above: string): string {
  return name
    .split('.')
    .slice(-(above.split('.').length + 1))
    .join('.');
}

/** The DMARC record in force for mail from a domain. */
export interface DmarcInForce {
  readonly record: DmarcRecord;
  /** Where it is published, without `_dmarc.`. */
  readonly domain: string;
  /** The tag that has the policy. */
  readonly tag: 'p' | 'sp' | 'np';
  /** The policy as published; `none` if the record counts as such, undefined if receivers ignore the record. */
  readonly policy: DmarcPolicy | undefined;
  /** The policy that is applied: one level below in test mode. */
  readonly applied: DmarcPolicy | undefined;
}

/**
 * What receivers find for mail from a domain (RFC 9989, 4.10.1). `inForce` is undefined if there is none, or if a `failure`
 * leaves it open.
 */
export type DmarcDiscovery = Awaited<ReturnType<typeof discoverDmarc>>;

/**
 * Finds the DMARC record in force for mail from a domain: its own, else that of its organizational domain, else that
 * of the public suffix domain above. `np` counts where the domain does not exist.
 */
export async function discoverDmarc(domain: string, ask: Ask) {
  const name = plainName(domain);
  const walk = await walkTree(name, ask);
  const own = walk.steps.find((step) => step.domain === name && step.record !== undefined);
  /** Undefined if a look-up failed. */
  const organizational = walk.failure === undefined ? organizationalDomain(walk) : undefined;
  const base = { walk, organizationalDomain: organizational };
  if (own?.record !== undefined)
    return { ...base, inForce: inForce(own.record, name, 'p'), failure: undefined };
  if (walk.failure !== undefined) return { ...base, inForce: undefined, failure: walk.failure };
  const last = walk.steps.at(-1);
  const above = walk.steps.find(
    (step) => step.domain === organizational && step.record !== undefined,
  );
  const step = above ?? (last?.record?.psd === 'y' ? last : undefined);
  if (step?.record === undefined) return { ...base, inForce: undefined, failure: undefined };
  const { record } = step;
  const exists = record.np === undefined ? true : await domainExists(name, ask);
  if (typeof exists === 'string') return { ...base, inForce: undefined, failure: exists };
  const tag = exists ? 'sp' : 'np';
  return {
    ...base,
    inForce: inForce(record, step.domain, record[tag] === undefined ? 'p' : tag),
    failure: undefined,
  };
}

/** Whether a name exists in DNS, with records of whatever type (RFC 9989, A.4). A string is why this is unknown. */
async function domainExists(name: string, ask: Ask): Promise<boolean | string> {
  const answer = await ask(name, 'A');
  if (answer.kind === 'failed') return answer.reason;
  if (answer.kind === 'found' || answer.exists) return true;
  // An alias whose target does not exist gives the same answer, but is a record.
  const alias = await ask(name, 'CNAME');
  return alias.kind === 'failed' ? alias.reason : alias.kind === 'found';
}

function inForce(record: DmarcRecord, domain: string, tag: DmarcInForce['tag']): DmarcInForce {
  const policy = policyOf(record, tag);
  return { record, domain, tag, policy, applied: record.testing ? oneLess(policy) : policy };
}

function policyOf(record: DmarcRecord, tag: DmarcInForce['tag']): DmarcPolicy | undefined {
  return { ignored: undefined, monitor: 'none' as const, policy: record[tag] }[record.use];
}

function oneLess(policy: DmarcPolicy | undefined): DmarcPolicy | undefined {
  return policy === 'reject' ? 'quarantine' : policy && 'none';
}
