import { createHash } from 'node:crypto';
import { UsageError } from '../../errors.ts';
import type { Journal } from './journal.ts';
import type { RunHeader } from './run-header.ts';

/** What a run is sent with. */
interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * A digest of the API key, base URL and command line that a run was last sent with; it cannot be made without
 * the key. It includes the run's name, so that it does not reveal that two runs have the same key.
 */
export function accountFingerprint(
  { run, line }: Pick<RunHeader, 'run' | 'line'>,
  { baseUrl, apiKey }: Credentials,
): string {
  return createHash('sha256')
    .update(JSON.stringify([run, baseUrl, line, apiKey]))
    .digest('hex');
}

interface CheckOptions extends Credentials {
  readonly sameAccount: boolean;
  /** Arguments that are only in the journal, and that could send the key or the results elsewhere. */
  readonly onlyRecorded: readonly string[];
}

/**
 * Whether this key last sent the run. False if it may take the run over: nothing was sent, or the user says
 * that it is of the same account. Otherwise, and if the command line relies on what is only in the journal,
 * throws a `UsageError`.
 */
export function checkSameAccount(
  journal: Journal,
  header: RunHeader,
  { sameAccount, onlyRecorded, ...credentials }: CheckOptions,
): boolean {
  if (header.account === accountFingerprint(header, credentials)) return true;
  const { accepted, refused, begun, unknown } = journal.counts();
  const isUntouched = accepted + refused + begun + unknown === 0;
  if (header.account !== undefined && !sameAccount && !isUntouched) {
    throw new UsageError(
      'This run was started with another API key, or its journal has been changed since. Idempotency keys belong to an account, so this key could send emails twice.',
      {
        hint: 'Nothing was sent. Use that key, or its --profile. If this is a new key of the same account, add --same-account.',
      },
    );
  }
  if (onlyRecorded.length > 0) {
    throw new UsageError(
      'This API key did not write the journal of this run, so its base URL and its results file are not used.',
      { hint: `If they are right, add: ${onlyRecorded.join(' ')}. Nothing was sent.` },
    );
  }
  return false;
}
