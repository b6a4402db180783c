import type { DmarcReport, ReportRow, Signature } from './report.ts';

/** Whose mail a row is; `unknown` if the selectors are not known, or the report names none. */
export const origins = ['yours', 'forwarded', 'not yours', 'unknown'] as const;

export type Origin = (typeof origins)[number];

/** Whether a signature, which may be invalid, names a key of one's own. `domain` is the domain of the report. */
export type IsOwn = (signature: Signature, domain: string) => boolean;

/** What receivers call mail that another server passed on: in RFC 7489, and in RFC 9990. */
const passedOn = new Set(['forwarded', 'mailing_list', 'trusted_forwarder']);

/**
 * Whose mail it is, by signatures, because the addresses of servers say nothing about forwarded mail. Signed with a key
 * of one's own, it is one's own if SPF vouches for the server, too; else forwarded, if the signature is valid or the
 * receiver says so. Anybody can write a signature that is invalid.
 */
export function rowOrigin(
  row: ReportRow,
  { domain }: DmarcReport,
  isOwn: IsOwn | undefined,
): Origin {
  if (isOwn === undefined) return 'unknown';
  const own = row.signatures.filter((one) => isOwn(one, domain));
  if (own.length > 0) {
    const ofDomain = row.spfResults.some((one) => passes(one) && isWithin(one.domain, domain));
    if (row.spf === 'pass' || ofDomain) return 'yours';
    const isForwarded = own.some(passes) || row.reasons.some((one) => passedOn.has(one));
    return isForwarded ? 'forwarded' : 'not yours';
  }
  const isNameless = row.signatures.some(
    (one) => passes(one) && one.selector === '' && isWithin(one.domain, domain),
  );
  return isNameless ? 'unknown' : 'not yours';
}

/** The signature that tells most about a row: a valid one, of one's own, of the domain; undefined without one. */
export function tellingSignature(
  { signatures }: ReportRow,
  { domain }: DmarcReport,
  isOwn: IsOwn | undefined,
): Signature | undefined {
  const weight = (one: Signature) =>
    (passes(one) ? 4 : 0) +
    (isOwn?.(one, domain) === true ? 2 : 0) +
    (isWithin(one.domain, domain) ? 1 : 0);
  return signatures.toSorted((one, other) => weight(other) - weight(one))[0];
}

/** Whether DMARC passes by DKIM and by SPF. A report without that is read by the names that passed. */
export function alignmentOf(row: ReportRow, { domain }: DmarcReport) {
  if (row.dkim !== '' || row.spf !== '')
    return { dkim: row.dkim === 'pass', spf: row.spf === 'pass' };
  const aligns = (one: { domain: string; verdict: string }) =>
    passes(one) && isWithin(one.domain, domain);
  return { dkim: row.signatures.some(aligns), spf: row.spfResults.some(aligns) };
}

/** Whether a name is a domain or below it. */
export function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

export function passes({ verdict }: { readonly verdict: string }): boolean {
  return verdict === 'pass';
}
