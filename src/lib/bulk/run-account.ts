import { createHash } from 'node:crypto';
import { UsageError } from '../errors.ts';
import type { Journal } from './journal.ts';
import { type RunMeta, writeMeta } from './run-meta.ts';

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
 * Throws a `UsageError` when a run was begun with another API key, unless it is said to be of the
 * same account; then it is this key's from now on.
 */
export function settleAccount(
  journal: Journal,
  meta: RunMeta,
  { apiKey, sameAccount }: { readonly apiKey: string; readonly sameAccount: boolean },
): void {
  const account = accountFingerprint(meta.run, apiKey);
  if (meta.account === account) return;
  if (meta.account !== undefined && !sameAccount) {
    throw new UsageError(
      'This run was begun with another API key. Idempotency keys and emails belong to an account: with this key they could go out twice.',
      {
        hint: 'Use that key, or its --profile. When this is a new key of the same account, add --same-account. Nothing was sent.',
      },
    );
  }
  writeMeta(journal, { ...meta, account });
}
