import { UsageError } from '../errors.ts';
import type { Grouping } from './flags.ts';
import {
  alignmentOf,
  type IsOwn,
  isWithin,
  type Origin,
  passes,
  rowOrigin,
  tellingSignature,
} from './origin.ts';
import type { DmarcReport, PublishedPolicy, ReportRow, Signature } from './report.ts';

/** Numbers of messages. */
export interface MessageCounts {
  messages: number;
  /** Those that pass DMARC, by DKIM or SPF. */
  aligned: number;
  dkimAligned: number;
  spfAligned: number;
  quarantined: number;
  rejected: number;
}

/** The messages of one source, of one selector, or of one day. */
export interface ReportGroup extends MessageCounts {
  /** The domain whose policy was applied. */
  readonly domain: string;
  /** The IP address, empty if the report has none; only if grouped by source. */
  readonly source?: string;
  /** Of the signature that tells most; empty without one. Only if grouped by selector. */
  readonly selector?: string;
  readonly signer?: string;
  /** In UTC; only if grouped by day. */
  readonly day?: string;
  /** Absent if grouped by day. */
  readonly origin?: Origin;
  /** What receivers did: `none`, `pass` (RFC 9990), `quarantine`, `reject`. */
  readonly applied: string[];
  /** Why that is not what the policy says. */
  readonly reasons: string[];
  /** The first few domains of each kind. */
  readonly headerFrom: string[];
  readonly envelopeFrom: string[];
  /** Valid signatures, as names of their keys: `s1._domainkey.example.com`. */
  readonly signedBy: string[];
  /** The domains that passed SPF. */
  readonly spfDomains: string[];
  /** In UTC. */
  firstDay: string;
  lastDay: string;
}

/** What is known about one domain. */
export interface DomainTotal extends MessageCounts {
  readonly domain: string;
  /** As the newest report has it. */
  policy: PublishedPolicy;
  reports: number;
  /** Organizations that reported. */
  reporters: number;
  firstDay: string;
  lastDay: string;
}

/** Which messages to count, and how. */
export interface TallyOptions {
  readonly by: Grouping;
  readonly isOwn: IsOwn | undefined;
  /** Domains in lower case; all if empty. */
  readonly domains: readonly string[];
  /** Milliseconds since 1970. */
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** The most groups: each takes memory, and reports can name any number of sources. */
const mostGroups = 250_000;
/** The most domains of one kind that a group names. */
const mostNames = 10;

/** Adds reports up, without keeping them. */
export class Tally {
  readonly #options: TallyOptions;
  readonly #groups = new Map<string, ReportGroup>();
  readonly #totals = new Map<string, { total: DomainTotal; reporters: Set<string>; end: number }>();
  readonly #seen = new Set<string>();
  readonly #reporters = new Set<string>();
  #reports = 0;
  #duplicates = 0;

  constructor(options: TallyOptions) {
    this.#options = options;
  }

  /** Throws a `UsageError` if there are too many groups. */
  add(report: DmarcReport): void {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = this.#options;
    // The middle of the period is in the day that most of it belongs to, whichever time zone the receiver uses.
    const middle = ((report.begin + report.end) / 2) * 1000;
    if (middle < since || middle >= until) return;
    const rows = report.rows.filter((row) => this.#isWanted(row, report));
    if (rows.length === 0 && !this.#isWantedDomain(report.domain)) return;
    const name = [report.reporter, report.id, report.domain, report.begin].join('\n');
    if (this.#seen.has(name)) {
      this.#duplicates++;
      return;
    }
    this.#seen.add(name);
    this.#reports++;
    this.#reporters.add(report.reporter);
    const day = new Date(middle).toISOString().slice(0, 10);
    const total = this.#totalOf(report, day);
    for (const row of rows) {
      const alignment = alignmentOf(row, report);
      addCounts(total, row, alignment);
      const group = this.#groupOf(row, report, day);
      addCounts(group, row, alignment);
      addNames(group, row, day);
    }
  }

  get reports(): number {
    return this.#reports;
  }

  /** Reports that had been counted before. */
  get duplicates(): number {
    return this.#duplicates;
  }

  get reporters(): number {
    return this.#reporters.size;
  }

  /** The domains with most messages first. */
  totals(): DomainTotal[] {
    return [...this.#totals.values()]
      .map(({ total, reporters }) => ({ ...total, reporters: reporters.size }))
      .sort((one, other) => other.messages - one.messages);
  }

  /** The groups by domain: days in order, others with most messages first. */
  groups(): Map<string, ReportGroup[]> {
    const ofDomain = Map.groupBy(this.#groups.values(), ({ domain }) => domain);
    for (const groups of ofDomain.values()) groups.sort(inOrder);
    return ofDomain;
  }

  #isWantedDomain(name: string): boolean {
    const { domains } = this.#options;
    return domains.length === 0 || domains.some((domain) => isWithin(name, domain));
  }

  #isWanted(row: ReportRow, { domain }: DmarcReport): boolean {
    return this.#isWantedDomain(row.headerFrom === '' ? domain : row.headerFrom);
  }

  #totalOf({ domain, policy, reporter, end }: DmarcReport, day: string): DomainTotal {
    const known = this.#totals.get(domain) ?? {
      total: {
        domain,
        policy,
        reports: 0,
        reporters: 0,
        ...noMessages,
        firstDay: day,
        lastDay: day,
      },
      reporters: new Set<string>(),
      end,
    };
    this.#totals.set(domain, known);
    const { total } = known;
    if (end >= known.end) {
      known.end = end;
      total.policy = policy;
    }
    known.reporters.add(reporter);
    total.reports++;
    extend(total, day);
    return total;
  }

  #groupOf(row: ReportRow, report: DmarcReport, day: string): ReportGroup {
    const { by, isOwn } = this.#options;
    const key = keyOf(by, row, report, day, isOwn);
    const name = Object.values(key).join('\n');
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    if (this.#groups.size === mostGroups) {
      throw new UsageError(`The reports have more than ${mostGroups} different rows.`, {
        hint: 'Read fewer with --since and --until or --domain, or sum them up with --by day.',
      });
    }
    const names = {
      applied: [],
      reasons: [],
      headerFrom: [],
      envelopeFrom: [],
      signedBy: [],
      spfDomains: [],
    };
    const group = { ...key, ...noMessages, ...names, firstDay: day, lastDay: day };
    this.#groups.set(name, group);
    return group;
  }
}

const noMessages: MessageCounts = {
  messages: 0,
  aligned: 0,
  dkimAligned: 0,
  spfAligned: 0,
  quarantined: 0,
  rejected: 0,
};

function keyOf(
  by: Grouping,
  row: ReportRow,
  report: DmarcReport,
  day: string,
  isOwn: IsOwn | undefined,
): Pick<ReportGroup, 'domain' | 'source' | 'selector' | 'signer' | 'day' | 'origin'> {
  const { domain } = report;
  if (by === 'day') return { domain, day };
  const origin = rowOrigin(row, report, isOwn);
  if (by === 'source') return { domain, source: row.sourceIp, origin };
  const signature = tellingSignature(row, report, isOwn);
  return { domain, selector: signature?.selector ?? '', signer: signature?.domain ?? '', origin };
}

function addCounts(
  counts: MessageCounts,
  { count, disposition }: ReportRow,
  { dkim, spf }: { readonly dkim: boolean; readonly spf: boolean },
): void {
  counts.messages += count;
  if (dkim || spf) counts.aligned += count;
  if (dkim) counts.dkimAligned += count;
  if (spf) counts.spfAligned += count;
  if (disposition === 'quarantine') counts.quarantined += count;
  if (disposition === 'reject') counts.rejected += count;
}

function addNames(group: ReportGroup, row: ReportRow, day: string): void {
  addName(group.headerFrom, row.headerFrom);
  addName(group.envelopeFrom, row.envelopeFrom);
  addName(group.applied, row.disposition);
  for (const reason of row.reasons) addName(group.reasons, reason);
  for (const one of row.signatures) {
    if (passes(one) && !hasKey(group.signedBy, one)) {
      addName(group.signedBy, keyName(one.selector, one.domain));
    }
  }
  for (const one of row.spfResults) if (passes(one)) addName(group.spfDomains, one.domain);
  extend(group, day);
}

const between = '._domainkey.';

function keyName(selector: string, domain: string): string {
  return selector === '' ? domain : selector + between + domain;
}

/** Makes no name, because this is asked for each signature of each row. */
function hasKey(names: readonly string[], { selector, domain }: Signature): boolean {
  const length = domain.length + (selector === '' ? 0 : selector.length + between.length);
  return names.some(
    (name) => name.length === length && name.endsWith(domain) && name.startsWith(selector),
  );
}

function addName(names: string[], name: string): void {
  if (name !== '' && names.length < mostNames && !names.includes(name)) names.push(name);
}

function extend(period: { firstDay: string; lastDay: string }, day: string): void {
  if (day < period.firstDay) period.firstDay = day;
  if (day > period.lastDay) period.lastDay = day;
}

function inOrder(one: ReportGroup, other: ReportGroup): number {
  if (one.day !== undefined && other.day !== undefined) return one.day < other.day ? -1 : 1;
  return other.messages - one.messages || (labelOf(one) < labelOf(other) ? -1 : 1);
}

/** What names a group within its domain. */
export function labelOf({ source, selector, signer, day }: ReportGroup): string {
  return day ?? source ?? keyName(selector ?? '', signer ?? '');
}
