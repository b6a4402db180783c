/** One aggregate report (RFC 7489, appendix C; RFC 9990), as far as this program uses it. */
export interface DmarcReport {
  /** Who sent it. */
  readonly reporter: string;
  readonly id: string;
  /** Seconds since 1970. */
  readonly begin: number;
  readonly end: number;
  /** Of the DMARC record that was applied, in lower case. */
  readonly domain: string;
  readonly policy: PublishedPolicy;
  readonly rows: readonly ReportRow[];
}

/** The tags of the DMARC record as the receiver read it; absent ones are null. */
export interface PublishedPolicy {
  readonly p: string | null;
  readonly sp: string | null;
  /** RFC 9990: for subdomains that do not exist. */
  readonly np: string | null;
  /** RFC 7489 only. */
  readonly pct: string | null;
  /** RFC 9990: `y` while the owner only tests the policy. */
  readonly testing: string | null;
  /** RFC 9990: how the record was found, `psl` or `treewalk`. */
  readonly discoveryMethod: string | null;
}

/** Messages of one source that were treated alike. Names and results are in lower case. */
export interface ReportRow {
  /** Empty if the report has none. */
  readonly sourceIp: string;
  readonly count: number;
  readonly headerFrom: string;
  readonly envelopeFrom: string;
  /** `pass`, `fail`, or empty if the report has none: what DMARC made of DKIM and SPF, alignment included. */
  readonly dkim: string;
  readonly spf: string;
  readonly disposition: string;
  /** Why the receiver did not apply the policy. */
  readonly reasons: readonly string[];
  /** The results of authentication alone. */
  readonly signatures: readonly Signature[];
  readonly spfResults: readonly SpfVerdict[];
}

export interface Signature {
  readonly domain: string;
  /** Empty if the report has none. */
  readonly selector: string;
  readonly verdict: string;
}

export interface SpfVerdict {
  readonly domain: string;
  readonly verdict: string;
}

/** Why something is no report that can be counted: the end of a sentence about it, without its full stop. */
export class DamagedError extends Error {}

/** It is something else than a report. */
export class OtherError extends Error {}
