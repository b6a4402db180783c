import { createHash } from 'node:crypto';
import type { AccountInUse } from '../../../command-line/command/account-in-use.ts';

/**
 * The account that a run was sent with, by everything it is known by: its services and, as digests that cannot
 * be made without them, its keys.
 */
export interface KnownAccount {
  readonly services: readonly string[];
  readonly keys: readonly string[];
}

/**
 * How the account in use is related to that of a run. Only if both the key and the service are others, it is
 * certainly another account: a service may have several URLs, and an account several keys.
 */
export type Relation = 'same' | 'other service' | 'other key' | 'other account';

/** The account in use, as the first one of a run. */
export function knownAs(run: string, { service, secret }: AccountInUse): KnownAccount {
  return { services: [service], keys: [keyDigest(run, secret)] };
}

export function relationTo(
  { services, keys }: KnownAccount,
  run: string,
  { service, secret }: AccountInUse,
): Relation {
  const hasService = services.includes(service);
  const hasKey = keys.includes(keyDigest(run, secret));
  if (hasKey) return hasService ? 'same' : 'other service';
  return hasService ? 'other key' : 'other account';
}

/** The account of a run once the one in use is known to be the same. */
export function joinedBy(known: KnownAccount, run: string, inUse: AccountInUse): KnownAccount {
  const { services, keys } = knownAs(run, inUse);
  return {
    services: [...new Set([...known.services, ...services])],
    keys: [...new Set([...known.keys, ...keys])],
  };
}

/** A digest of a key. It includes the run's name, so that it does not reveal that two runs have the same key. */
export function keyDigest(run: string, secret: string): string {
  return createHash('sha256')
    .update(JSON.stringify([run, secret]))
    .digest('hex');
}
