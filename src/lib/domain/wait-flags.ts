import { UsageError } from '../errors.ts';

export interface WaitOptions {
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds between two looks, always; undefined when they are to grow. */
  readonly interval: number | undefined;
}

export const defaultWaitTimeout = '30m';

/** What `--wait` and the flags that go with it ask for; undefined without `--wait`. */
export async function waitOptions(flags: {
  wait?: true | undefined;
  waitTimeout?: string | undefined;
  interval?: string | undefined;
}): Promise<WaitOptions | undefined> {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    if (flags.interval !== undefined) throw new UsageError('--interval needs --wait');
    return undefined;
  }
  const { parseDuration } = await import('../when.ts');
  return {
    timeout: parseDuration(flags.waitTimeout ?? defaultWaitTimeout, '--wait-timeout'),
    interval:
      flags.interval === undefined ? undefined : parseDuration(flags.interval, '--interval'),
  };
}
