import { UsageError } from '../errors.ts';
import { parseResolvers } from './resolver-flag.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds between two looks, always; undefined when they are to grow. */
  readonly interval: number | undefined;
  /** DNS servers to ask about records that are not there; none when they are not chosen. */
  readonly resolvers: readonly string[];
}

export const defaultWaitTimeout = '30m';

/** What `--wait` and the flags that go with it ask for; undefined without `--wait`. */
export async function waitOptions(flags: {
  wait?: true | undefined;
  waitTimeout?: string | undefined;
  interval?: string | undefined;
  resolver?: readonly string[] | undefined;
}): Promise<WaitOptions | undefined> {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    if (flags.interval !== undefined) throw new UsageError('--interval needs --wait');
    if (flags.resolver !== undefined) throw new UsageError('--resolver needs --wait');
    return undefined;
  }
  const { parseDuration } = await import('../when.ts');
  return {
    timeout: parseDuration(flags.waitTimeout ?? defaultWaitTimeout, '--wait-timeout'),
    interval:
      flags.interval === undefined ? undefined : parseDuration(flags.interval, '--interval'),
    resolvers: parseResolvers(flags.resolver),
  };
}
