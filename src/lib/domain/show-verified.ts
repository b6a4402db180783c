import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { type MailerError, WaitFailedError, WaitTimeoutError } from '../errors.ts';
import { type RecordResult, record, section, status } from '../output/result.ts';
import type { Finding, Findings } from './findings.ts';
import { findingColumns, verdict } from './show-findings.ts';
import type { Verified } from './wait.ts';

/** The outcome of a verification, with what DNS has for the records if that was looked up. */
export function showVerified(
  context: Pick<Context, 'flags' | 'system'>,
  verified: Verified,
  dns: Findings | undefined,
): RecordResult {
  const { outcome, domain, seconds, already } = verified;
  const took = `${Math.round(seconds)} s`;
  const failure = failureFrom(context, verified);
  const bad =
    outcome === 'success' ? [] : (dns?.records ?? []).filter((one) => one.status !== 'ok');
  return record({
    reply: { outcome, seconds, already, domain, dns: dns ?? null },
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
              title: 'Missing or wrong DNS records',
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
    if (already) return [`${domain.name} is already verified.`, 'To verify it again, add --force.'];
    if (failure === undefined) return `${domain.name} is verified, after ${took}.`;
    return dns === undefined ? [] : verdict(dns);
  }
}

function failureFrom(
  context: Pick<Context, 'flags' | 'system'>,
  { outcome, domain }: Verified,
): MailerError | undefined {
  const { name, status: word, errorMessage, verificationError } = domain;
  switch (outcome) {
    case 'success':
      return undefined;
    case 'failed': {
      const why = errorMessage || verificationError;
      return new WaitFailedError(`Verification of ${name} failed${why ? `: ${why}` : '.'}`);
    }
    case 'timeout': {
      const again = word === 'SUCCESS' ? ['--force'] : [];
      const settled = again.length === 0 ? `${word}, not SUCCESS` : 'not verified again yet';
      const state = domain.isVerifying === true ? 'still being verified' : settled;
      return new WaitTimeoutError(`The wait timed out: ${name} is ${state}.`, {
        hint: `To keep waiting: ${nextCommand(context, 'domain', 'verify', name, '--wait', ...again)}`,
      });
    }
  }
}
