import { UsageError } from '../../../base/errors.ts';
import type { Fingerprint } from '../../../people/rows/open-input.ts';
import { accountNumber, type Claim } from './account-number.ts';
import { isComplete } from './counts.ts';
import { directoryName, partsOfName, type RunShape, runName } from './run-name.ts';
import type { RunStore } from './run-store.ts';
import type { Shard } from './shard.ts';

/** What `--again` asks for: a sending by its number, or with `true` the next one. */
export type Again = number | true | undefined;

export type Sendings = ReturnType<typeof sendingsOf>;

/**
 * How often an account has sent an input from this machine with a command, according to the journals. Throws
 * like `accountNumber`.
 */
export function sendingsOf(
  store: RunStore,
  shape: RunShape,
  fingerprint: Pick<Fingerprint, 'digest'>,
  claim: Claim | undefined,
) {
  const named = new Map<number, string>();
  /** The name of a sending's run. */
  const nameOf = (sending: number) => {
    const name = named.get(sending) ?? runName(shape, fingerprint, sending);
    named.set(sending, name);
    return name;
  };
  const all = store.names();
  const ofAnyone = (sending: number) =>
    all.filter((name) => partsOfName(name).run === nameOf(sending));
  const first = nameOf(1);
  const numbers = new Set(
    all
      .map((name) => store.label(name))
      .flatMap((about) => (about?.first === first ? about.sending : [])),
  );
  // A sending without a readable label is found by its name.
  for (let next = 1; ofAnyone(next).length > 0; next++) numbers.add(next);
  const account = accountNumber(store, [...numbers].flatMap(ofAnyone), claim);
  /** Directories of a sending: of all of it, or of its shards. */
  const directoriesOf = (sending: number) =>
    ofAnyone(sending).filter((name) => partsOfName(name).account === account);
  return {
    account,
    nameOf,
    directoriesOf,
    numbers: [...numbers]
      .filter((sending) => directoriesOf(sending).length > 0)
      .sort((one, other) => one - other),
  };
}

/**
 * The sending that a command line refers to: without `--again` the latest one here, or the first; with it an
 * incomplete one, or the next. Throws a `UsageError` for a number that skips one, and for `--again` without a
 * number if there is nothing to send again. `isSentOtherwise` tells whether this account has sent the same file with another
 * text, or other flags.
 */
export function chooseSending(
  store: RunStore,
  sendings: Sendings,
  shard: Shard,
  again: Again,
  isSentOtherwise: (name: string) => boolean,
): number {
  const { numbers, nameOf, account } = sendings;
  const last = numbers.at(-1) ?? 0;
  if (typeof again === 'number') {
    if (last === 0 || again <= last + 1) return again;
    throw new UsageError(`--again=${again}: the latest number on this machine is ${last}`, {
      hint: `The next one: --again=${last + 1}. Nothing was sent.`,
    });
  }
  const own = (sending: number) => directoryName(nameOf(sending), account, shard);
  const mine = numbers.findLast((sending) => store.has(own(sending)));
  if (again === undefined) return mine ?? (last || 1);
  const nothing = new UsageError(
    '--again: this machine has no journal of an earlier run. Nothing was sent.',
    {
      hint: 'To send for the first time, leave it out. If another machine has sent the file, give a number: --again=2 for the second time',
    },
  );
  if (last === 0) {
    if (store.names().some((name) => isSentOtherwise(name) && isDone(store, name))) return 2;
    throw nothing;
  }
  let sending = mine ?? last;
  if (mine !== undefined && isDone(store, own(mine))) sending++;
  while (isDividedOtherwise(sendings, sending, shard) && isWhollyDone(store, sendings, sending)) {
    sending++;
  }
  // `--again` resumes a first sending, but does not start one.
  const begins = mine === undefined && !isDividedOtherwise(sendings, sending, shard);
  if (sending === 1 && begins) throw nothing;
  return sending;
}

/** A directory of a sending that is divided into other shards than this one, if any. */
export function otherDivision(
  sendings: Sendings,
  sending: number,
  shard: Shard,
): string | undefined {
  const fits = (name: string) => {
    const { shard: own } = partsOfName(name);
    return shard.count === 1 ? own === undefined : own?.endsWith(`/${shard.count}`) === true;
  };
  return sendings.directoriesOf(sending).find((name) => !fits(name));
}

function isDividedOtherwise(sendings: Sendings, sending: number, shard: Shard): boolean {
  return otherDivision(sendings, sending, shard) !== undefined;
}

function isWhollyDone(store: RunStore, sendings: Sendings, sending: number): boolean {
  return sendings.directoriesOf(sending).every((name) => isDone(store, name));
}

/** Whether the journal in a directory can be read and nothing is left to send. */
function isDone(store: RunStore, directory: string): boolean {
  return store.look(directory, (journal) => isComplete(journal.counts())) === true;
}
