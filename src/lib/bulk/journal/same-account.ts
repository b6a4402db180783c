import { createHash } from 'node:crypto';
import { UsageError } from '../../errors.ts';
import { type RunHeader, writeHeader } from './header.ts';
import type { Journal } from './journal.ts';

/**
 * Tells whether an API key is the one that a run was begun with. The run's name is in it, so that it
 * is of no use elsewhere: not even for telling that two runs have the same key.
 */
export function accountFingerprint(run: string, apiKey: string): string {
  return createHash('sha256')
    .update(JSON.stringify([run, apiKey]))
    .digest('hex');
}

/**
 * Throws a `UsageError` when something of a run may have gone out with another API key, unless this
 * one is said to be of the same account; the run is this key's from then on. So is one of which
 * nothing went out: the key was refused, say, and has been mended.
 */
export function checkSameAccount(
  journal: Journal,
  header: RunHeader,
  { apiKey, sameAccount }: { readonly apiKey: string; readonly sameAccount: boolean },
): void {
  const account = accountFingerprint(header.run, apiKey);
  if (header.account === account) return;
  const { accepted, refused, begun, unknown } = journal.counts();
  const isUntouched = accepted + refused + begun + unknown === 0;
  if (header.account !== undefined && !sameAccount && !isUntouched) {
    throw new UsageError(
      'This run was begun with another API key. Idempotency keys and emails belong to an account: with this key they could go out twice.',
      {
        hint: 'Use that key, or its --profile. When this is a new key of the same account, add --same-account. Nothing was sent.',
      },
    );
  }
  writeHeader(journal, { ...header, account });
}
