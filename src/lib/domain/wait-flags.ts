import { UsageError } from '../errors.ts';
import { type Polling, pollingOf } from '../poll.ts';

const defaultTimeout = 30 * 60_000;

/** What `--wait` and the flags that go with it ask for; undefined without `--wait`. */
export async function waitOptions(flags: {
  wait?: true | undefined;
  waitTimeout?: string | undefined;
  interval?: string | undefined;
}): Promise<Polling | undefined> {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    if (flags.interval !== undefined) throw new UsageError('--interval needs --wait');
    return undefined;
  }
  return await pollingOf(flags, defaultTimeout);
}
