import { createHash } from 'node:crypto';
import { UsageError } from '../../errors.ts';
import type { RunHeader } from './header.ts';
import type { Journal } from './journal.ts';

/** What a run goes out with. */
interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * A digest of the API key, base URL and command line that a run was last sent with, which nobody can make
 * without the key. With the run's name in it, it does not tell that two runs have the same key.
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
  /** Words of the command line that only the journal says, and that would lead key or results elsewhere. */
  readonly onlyRecorded: readonly string[];
}

/**
 * Whether a run is this key's. If not, it becomes so, where nothing of it was sent or the key is said to
 * be of the same account; otherwise, and where the line relies on what only the journal says, throws a
 * `UsageError`.
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
