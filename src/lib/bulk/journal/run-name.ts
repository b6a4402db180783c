import { createHash } from 'node:crypto';
import type { Fingerprint } from '../input/open-input.ts';
import { type Shard, whole } from './shard.ts';

/** What the command line contributes to a run, besides its input. */
export interface RunCommand {
  /** The service. */
  readonly baseUrl: string;
  /** Everything that determines the emails: fields, templates, options. JSON values. */
  readonly shape: Readonly<Record<string, unknown>>;
}

/**
 * The name of a run: the same for the same input, command and service on every machine, and so are the
 * idempotency keys made of it. `sending` is 1, or higher if everything is sent again.
 */
export function runName(
  { baseUrl, shape }: RunCommand,
  { digest }: Pick<Fingerprint, 'digest'>,
  sending: number,
): string {
  const identity = JSON.stringify([1, baseUrl, digest, shape, sending - 1]);
  return sha256(identity).slice(0, 32);
}

/** The directory name of a run, or of one shard of it. */
export function directoryName(run: string, shard: Shard): string {
  return shard.count === whole.count ? run : `${run}-${shard.index}of${shard.count}`;
}

/** The parts of a directory's name: the run and, for a shard, which one, such as `3/8`. */
export function partsOfName(directory: string): { run: string; shard: string | undefined } {
  const [run = '', shard] = directory.split('-');
  return { run, shard: shard?.replace('of', '/') };
}

/** Whether a directory has a name like that of a run. */
export function isDirectoryName(name: string): boolean {
  return /^[0-9a-f]{32}(-\d+of\d+)?$/.test(name);
}

/** A short digest of each part of a run's shape, by its name. */
export type ShapeDigests = Readonly<Record<string, string>>;

/**
 * Digests of the parts of a run's shape: enough to tell later which of them changed, without storing them.
 */
export function shapeDigests({ fields, ...rest }: Readonly<Record<string, unknown>>): ShapeDigests {
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
