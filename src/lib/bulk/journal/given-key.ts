import { UsageError } from '../../errors.ts';
import { checkIdempotencyKey } from '../../http/check.ts';
import { longestGivenKey } from './run-limits.ts';

/** Throws a `UsageError` for what is no key, or leaves no room for what is added to it. */
export function checkGivenKey(key: string): void {
  if (key.length > longestGivenKey) {
    throw new UsageError(
      `--idempotency-key: must have 1 to ${longestGivenKey} characters, not ${key.length}`,
      { hint: 'The key of each request begins with it. Nothing was sent.' },
    );
  }
  checkIdempotencyKey(key);
}
