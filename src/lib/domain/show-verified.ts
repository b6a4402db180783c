import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { type MailerError, WaitFailedError, WaitTimeoutError } from '../errors.ts';
import { type RecordResult, record, status } from '../output/result.ts';
import type { Findings } from './findings.ts';
import { difference, verdict } from './show-findings.ts';
import type { Verified } from './wait.ts';

/** How a verification ended, with what DNS has of the records where that was looked up. */
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
      ['id', 'Id', domain.id],
      ['name', 'Name', domain.name],
      ['outcome', 'Outcome', outcome],
      ['status', 'Status', status(domain.status)],
      ['seconds', 'Took', took],
      ['errorMessage', 'Error', domain.errorMessage || domain.verificationError],
    ],
    sections:
      bad.length === 0
        ? []
        : [
            {
              title: 'Missing or wrong DNS records',
              stacked: true,
              columns: ['Type', 'Name', 'Status', 'Needed', 'Expected', 'Found', 'Problem'].map(
                (header) => ({ header }),
              ),
              rows: bad.map((one) => [
                one.type,
                one.fqdn,
                status(one.status),
                one.required ? 'required' : 'recommended',
                ...difference(one).map(([, cell]) => cell),
              ]),
              empty: '',
            },
          ],
    note: noteOf(),
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
      const state = domain.isVerifying === true ? 'still being verified' : `${word}, not SUCCESS`;
      return new WaitTimeoutError(`The wait timed out: ${name} is ${state}.`, {
        hint: `To keep waiting: ${nextCommand(context, 'domain', 'verify', name, '--wait')}`,
      });
    }
  }
}
