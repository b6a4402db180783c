import { type Origin, passes } from './origin.ts';
import type { PublishedPolicy, ReportRow, Signature } from './report.ts';

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

/** The most domains of one kind that a group names. */
const mostNames = 10;

export const noMessages: MessageCounts = {
  messages: 0,
  aligned: 0,
  dkimAligned: 0,
  spfAligned: 0,
  quarantined: 0,
  rejected: 0,
};

export function addCounts(
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

export function addNames(group: ReportGroup, row: ReportRow, day: string): void {
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
  if (name !== '' && names.length < mostNames && !names.includes(name)) {
    names.push(name);
  }
}

export function extend(period: { firstDay: string; lastDay: string }, day: string): void {
  if (day === period.lastDay) return;
  if (day < period.firstDay) period.firstDay = day;
  if (day > period.lastDay) period.lastDay = day;
}

export function byPlace(one: ReportGroup, other: ReportGroup): number {
  if (one.day !== undefined && other.day !== undefined) return one.day < other.day ? -1 : 1;
  return other.messages - one.messages || (labelOf(one) < labelOf(other) ? -1 : 1);
}

/** What names a group within its domain. */
export function labelOf({ source, selector, signer, day }: ReportGroup): string {
  return day ?? source ?? keyName(selector ?? '', signer ?? '');
}
