import { passes } from './origin.ts';
import type { ReportRow, Signature } from './report.ts';
import type { MessageCounts, ReportGroup } from './report-shapes.ts';

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
