import { createHash } from 'node:crypto';
import type { Fingerprint } from './input/open-input.ts';
import { type Shard, whole } from './shard.ts';

/** What the command line says about a run, beyond its input. */
export interface RunCommand {
  /** Which service. */
  readonly baseUrl: string;
  /** All that shapes the emails: fields, templates, choices. JSON values. */
  readonly shape: Readonly<Record<string, unknown>>;
}

/**
 * The name of a run: the same for the same input, the same command and the same service, on every
 * machine, so that the idempotency keys made of it are the same too. `again` counts the times that
 * somebody asked to send it all once more.
 */
export function runName(
  { baseUrl, shape }: RunCommand,
  { digest }: Pick<Fingerprint, 'digest'>,
  again: number,
): string {
  const identity = JSON.stringify([1, baseUrl, digest, shape, again]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}

/** The name of the directory of a run, or of one share of it. */
export function directoryName(run: string, shard: Shard): string {
  return shard.count === whole.count ? run : `${run}-${shard.index}of${shard.count}`;
}

/**
 * The idempotency key of a part: its run, its chunk, and for less than a chunk which emails. The
 * first chunk of a run that was given a key by hand has just that.
 */
export function partKey(
  { run, key }: { readonly run: string; readonly key: string | undefined },
  { chunk, positions, attempt }: PartName,
): string {
  const first = key !== undefined && chunk.number === 1;
  const which = [
    ...(first ? [] : [String(chunk.number)]),
    ...(positions === undefined ? [] : [digestOf(positions.join())]),
    ...(attempt === 0 ? [] : [`again${attempt}`]),
  ];
  return [key ?? `mailer-${run}`, ...which].join('-');
}

interface PartName {
  readonly chunk: { readonly number: number };
  readonly positions: readonly number[] | undefined;
  readonly attempt: number;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
