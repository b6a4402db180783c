import { type MailerError, WaitFailedError } from '../../base/errors.ts';
import { type RecordResult, record, section, status } from '../../command-line/output/result.ts';
import type { Finding, Findings } from './findings-shapes.ts';
import { findingColumns, verdict } from './show-findings.ts';
import type { Verified } from './verify-and-wait.ts';

/**
 * The outcome of a verification, with what DNS has for the records if that was looked up. `timeIsUp` is the
 * error if it has not ended.
 */
export function showVerified(
  verified: Verified,
  timeIsUp: MailerError | undefined,
  dns: Findings | undefined,
): RecordResult {
  const { outcome, domain, seconds, already, unreachableSince } = verified;
  const took = `${Math.round(seconds)} s`;
  const records = dns?.records ?? [];
  // A resolver of the system may have cached what was there before the verification.
  const isCertain = dns?.resolvers.every(({ source }) => source !== 'system') === true;
  const unusable = outcome === 'success' && isCertain ? records.filter(isUnusable) : [];
  const failure =
    unusable.length > 0
      ? new WaitFailedError(
          `${domain.name} is verified, but receivers would not use ${unusable.length === 1 ? 'a required record' : `${unusable.length} required records`}.`,
        )
      : outcome === 'failed'
        ? failed(verified)
        : timeIsUp;
  const bad = outcome === 'success' ? unusable : records.filter((one) => one.status !== 'ok');
  return record({
    reply: { outcome, seconds, already, unreachableSince, domain, dns: dns ?? null },
    quiet: String(domain.id),
    rows: [
      ['domain.id', 'Id', domain.id],
      ['domain.name', 'Name', domain.name],
      ['outcome', 'Outcome', outcome],
      ['domain.status', 'Status', status(domain.status)],
      ['seconds', 'Took', took],
      ['domain.errorMessage', 'Error', domain.errorMessage || domain.verificationError],
    ],
    sections:
      bad.length === 0
        ? []
        : [
            section<Finding>({
              title: 'DNS records that are missing, wrong or unknown',
              field: 'dns.records',
              stacked: true,
              columns: findingColumns,
              rows: bad,
              empty: '',
            }),
          ],
    note: noteOf(),
    ...(already ? {} : { carriedOut: { ids: [String(domain.id)] } }),
    failure,
  });

  function noteOf() {
    if (failure !== undefined) return dns === undefined ? [] : verdict(dns);
    return [
      ...(already
        ? [`${domain.name} is already verified.`, 'To verify it again, add --force.']
        : [`${domain.name} is verified, after ${took}.`]),
      ...(dns === undefined || dns.ok ? [] : [`In DNS, as seen from here: ${verdict(dns)}`]),
    ];
  }
}

/** Whether receivers would not find a record as the service needs it. What could not be looked up may be correct. */
function isUnusable({ required, status }: Finding): boolean {
  return required && (status === 'missing' || status === 'wrong');
}

function failed({ domain: { name, errorMessage, verificationError } }: Verified): WaitFailedError {
  const why = errorMessage || verificationError;
  return new WaitFailedError(`Verification of ${name} failed${why ? `: ${why}` : '.'}`);
}
