import { UsageError } from '../../base/errors.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Grouping } from './flags.ts';
import { alignmentOf, type IsOwn, isWithin, rowOrigin, tellingSignature } from './origin.ts';
import type { DmarcReport, PublishedPolicy, ReportRow } from './report.ts';
import { addCounts, addNames, byPlace, extend, noMessages } from './report-group.ts';
import type { DomainTotal, ReportGroup } from './report-shapes.ts';

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
/** Adds reports up, without keeping them. */
export class Tally {
  readonly #options: TallyOptions;
  readonly #domains = new Map<string, KnownDomain>();
  readonly #seen = new Set<string>();
  #groups = 0;
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
    const { domains } = this.#options;
    const rows =
      domains.length === 0 ? report.rows : report.rows.filter((row) => this.#isWanted(row, report));
    if (rows.length === 0 && !this.#isWantedDomain(report.domain)) return;
    const name = [report.reporter, report.id, report.domain, report.begin].join('\n');
    if (this.#seen.has(name)) {
      this.#duplicates++;
      return;
    }
    this.#seen.add(name);
    const day = new Date(middle).toISOString().slice(0, 10);
    const known = this.#domainOf(report, day);
    for (const row of rows) {
      const alignment = alignmentOf(row, report);
      addCounts(known.total, row, alignment);
      const group = this.#groupOf(known.groups, row, report, day);
      addCounts(group, row, alignment);
      addNames(group, row, day);
    }
  }

  get reports(): number {
    return this.#seen.size;
  }

  /** Reports that had been counted before. */
  get duplicates(): number {
    return this.#duplicates;
  }

  get reporters(): number {
    const all = [...this.#domains.values()].flatMap(({ reporters }) => [...reporters]);
    return new Set(all).size;
  }

  /** The domains with most messages first. */
  totals(): DomainTotal[] {
    return [...this.#domains.values()]
      .map(({ total, reporters }) => ({ ...total, reporters: reporters.size }))
      .sort((one, other) => other.messages - one.messages);
  }

  /** The groups of a domain: days in order, others with most messages first. */
  groupsOf(domain: string): ReportGroup[] {
    return [...(this.#domains.get(domain)?.groups.values() ?? [])].sort(byPlace);
  }

  #isWantedDomain(name: string): boolean {
    const { domains } = this.#options;
    return domains.length === 0 || domains.some((domain) => isWithin(name, domain));
  }

  #isWanted(row: ReportRow, { domain }: DmarcReport): boolean {
    return this.#isWantedDomain(row.headerFrom === '' ? domain : row.headerFrom);
  }

  #domainOf({ domain, policy, reporter, end }: DmarcReport, day: string): KnownDomain {
    const known = this.#domains.get(domain) ?? emptyDomain(domain, policy, day);
    const { total } = known;
    if (total.reports === 0) this.#domains.set(total.domain, known);
    if (end >= known.end) {
      known.end = end;
      total.policy = policy;
    }
    if (!known.reporters.has(reporter)) known.reporters.add(reporter);
    total.reports++;
    extend(total, day);
    return known;
  }

  #groupOf(
    groups: Map<string, ReportGroup>,
    row: ReportRow,
    report: DmarcReport,
    day: string,
  ): ReportGroup {
    const { by, isOwn } = this.#options;
    const key = keyOf(by, row, report, day, isOwn);
    const name = Object.values(key).join('\n');
    const known = groups.get(name);
    if (known !== undefined) return known;
    if (++this.#groups > mostGroups) {
      throw new UsageError(`The reports have more than ${grouped(mostGroups)} different rows.`, {
        hint: 'Read fewer with --since and --until or --domain, or add them up with --by day.',
      });
    }
    const group: ReportGroup = {
      ...key,
      ...noMessages,
      applied: [],
      reasons: [],
      headerFrom: [],
      envelopeFrom: [],
      signedBy: [],
      spfDomains: [],
      firstDay: day,
      lastDay: day,
    };
    groups.set(name, group);
    return group;
  }
}

interface KnownDomain {
  readonly total: DomainTotal;
  readonly reporters: Set<string>;
  readonly groups: Map<string, ReportGroup>;
  /** Of the newest report. */
  end: number;
}

function emptyDomain(domain: string, policy: PublishedPolicy, day: string): KnownDomain {
  const days = { firstDay: day, lastDay: day };
  const total = { domain, policy, reports: 0, reporters: 0, ...noMessages, ...days };
  return { total, reporters: new Set(), groups: new Map(), end: 0 };
}

function keyOf(
  by: Grouping,
  row: ReportRow,
  report: DmarcReport,
  day: string,
  isOwn: IsOwn | undefined,
): Pick<ReportGroup, 'domain' | 'source' | 'selector' | 'signer' | 'day' | 'origin'> {
  const { domain } = report;
  switch (by) {
    case 'day':
      return { domain, day };
    case 'source':
      return { domain, source: row.sourceIp, origin: rowOrigin(row, report, isOwn) };
    case 'selector': {
      const { selector = '', domain: signer = '' } = tellingSignature(row, report, isOwn) ?? {};
      return { domain, selector, signer, origin: rowOrigin(row, report, isOwn) };
    }
  }
}
