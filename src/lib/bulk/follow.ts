import { UsageError } from '../errors.ts';
import { count } from './summary.ts';

/** Emails that `--wait` follows at most: each is asked for by itself, at every look. */
export const mostToFollow = 1000;

/** Throws a `UsageError` when a run has more emails than can be followed. */
export function refuseToFollow(emails: number): void {
  if (emails <= mostToFollow) return;
  throw new UsageError(
    `--wait follows up to ${count(mostToFollow)} emails; this run has ${count(emails)}`,
    { hint: 'Without --wait, mailer email list shows the state of each. Nothing was sent.' },
  );
}
