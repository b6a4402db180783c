import { UsageError } from '../../../base/errors.ts';
import type { AccountInUse } from '../../../command-line/command/account-in-use.ts';
import { relationTo } from './known-account.ts';
import { readHeader } from './run-header.ts';
import { partsOfName } from './run-name.ts';
import type { RunStore } from './run-store.ts';

/** The account in use, and whether the user says that it is the one of an earlier run: `--same-account`. */
export interface Claim {
  readonly account: AccountInUse;
  readonly sameAccount: boolean;
}

/**
 * The number of the account in use among those that have sent an input from this machine, in these directories:
 * a new one only if it is certainly another account. Throws a `UsageError` if `--same-account` could mean
 * several.
 */
export function accountNumber(
  store: RunStore,
  directories: readonly string[],
  claim: Claim | undefined,
): number {
  if (claim === undefined) return 1;
  const known = directories
    .map((name) => ({ number: partsOfName(name).account, how: howKnown(store, name, claim) }))
    .sort((one, other) => ranks.indexOf(one.how) - ranks.indexOf(other.how));
  const numbers = new Set(known.map(({ number }) => number));
  const [nearest] = known;
  if (nearest !== undefined && nearest.how !== 'other account') return nearest.number;
  if (!claim.sameAccount || nearest === undefined) return firstFree(numbers);
  if (numbers.size === 1) return nearest.number;
  throw new UsageError(
    `--same-account: ${numbers.size} accounts have sent this, with other API keys and to other base URLs.`,
    { hint: 'Nothing was sent. To choose one of their runs: mailer run resume RUN --same-account' },
  );
}

/** Nearest first. The key says more than the service: other accounts may have the same service. */
const ranks = ['same', 'unreadable', 'other service', 'other key', 'other account'] as const;

/** A run that cannot be read may be of this account; opening it reports the problem. */
function howKnown(store: RunStore, name: string, { account }: Claim): (typeof ranks)[number] {
  const known = store.look(name, readHeader)?.account ?? store.label(name)?.account;
  return known === undefined ? 'unreadable' : relationTo(known, partsOfName(name).run, account);
}

function firstFree(numbers: ReadonlySet<number>): number {
  let number = 1;
  while (numbers.has(number)) number++;
  return number;
}
