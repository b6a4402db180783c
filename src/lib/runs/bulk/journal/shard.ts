import { UsageError } from '../../../base/errors.ts';

/** The chunks that a process sends. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** Whether the chunk of this number, from 1, is in the shard. */
  takes(chunk: number): boolean;
}

/** The shard in `--shard 3/8`. Throws a `UsageError` if the text is not one. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count)) {
    throw new UsageError(`--shard: ${JSON.stringify(text)} is not a shard such as 3/8`, {
      hint: 'The first number is between 1 and the second.',
    });
  }
  return { ...shard, takes: (chunk) => (chunk - 1) % shard.count === shard.index - 1 };
}

/** The whole input. */
export const whole: Shard = { index: 1, count: 1, takes: () => true };
