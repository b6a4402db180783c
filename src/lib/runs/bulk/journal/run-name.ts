import { createHash } from 'node:crypto';
import type { Fingerprint } from '../../../people/rows/open-input.ts';
import { type Shard, whole } from './shard.ts';

/**
 * Everything that the command line contributes to a run besides its input: fields, templates, options. JSON
 * values.
 */
export type RunShape = Readonly<Record<string, unknown>>;

/**
 * The name of a run: the same for the same input and command on every machine, and so are the idempotency keys
 * made of it. The account is no part of it: the service keeps keys for each account, and one account may have
 * several URLs and API keys. `sending` is 1, or higher if everything is sent again.
 */
export function runName(
  shape: RunShape,
  { digest }: Pick<Fingerprint, 'digest'>,
  sending: number,
): string {
  return sha256(JSON.stringify([2, digest, shape, sending - 1])).slice(0, 32);
}

/** How a run that retries rows is linked to others, by the names of their directories. */
export interface RetryLink {
  /** The run that was named. */
  readonly of: string;
  /** The run that began the chain. */
  readonly first: string;
  /** From 1, in the order of the retries of that first run. */
  readonly number: number;
}

/** The name of the run of a retry: the same for two processes that begin one at the same time, so that one fails. */
export function retryName({ first, number }: RetryLink): string {
  const parts = JSON.stringify(['retry', first, number]);
  return sha256(parts).slice(0, 32);
}

/** The name of the directory in which an account sends a run, or one shard of it. */
export function directoryName(run: string, account: number, shard: Shard): string {
  const ofAccount = account === 1 ? '' : `-a${account}`;
  return `${run}${ofAccount}${shard.count === whole.count ? '' : `-${shard.index}of${shard.count}`}`;
}

const suffix = /(?:-a(\d+))?(?:-(\d+)of(\d+))?$/;

/** The parts of a directory's name, or of a prefix of it with the same end. */
export function partsOfName(directory: string) {
  const [all = '', account = '1', index, count] = suffix.exec(directory) ?? [];
  return {
    run: directory.slice(0, directory.length - all.length),
    /** Which account on this machine, from 1: runs of several accounts may have the same name. */
    account: Number(account),
    /** Such as `3/8`; undefined for the whole input. */
    shard: index === undefined ? undefined : `${index}/${count}`,
  };
}

/** Whether a directory has a name like that of a run. */
export function isDirectoryName(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(partsOfName(name).run);
}

/** A short digest of each part of a run's shape, by its name. */
export type ShapeDigests = Readonly<Record<string, string>>;

/**
 * Digests of the parts of a run's shape: enough to tell later which of them changed, without storing them.
 */
export function shapeDigests({ fields, ...rest }: RunShape): ShapeDigests {
  const parts = Object.entries({ ...rest, ...Object(fields) });
  return Object.fromEntries(
    parts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, sha256(JSON.stringify(value)).slice(0, 16)]),
  );
}

/** The names of the parts that differ. */
export function otherParts(before: ShapeDigests, now: ShapeDigests): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
