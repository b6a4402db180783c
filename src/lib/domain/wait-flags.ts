import { type Polling, pollingOf } from '../command/poll.ts';
import { UsageError } from '../errors.ts';

export interface DomainWait extends Polling {
  /** DNS servers to ask about records that are not there; none when they are not chosen. */
  readonly resolvers: readonly string[];
  /** Whether a domain that is verified is verified again. */
  readonly force: boolean;
}

export const defaultWaitTimeout = '30m';

/** What `--wait` and the flags that go with it ask for; undefined without `--wait`. */
export async function domainWait(flags: {
  wait?: true | undefined;
  waitTimeout?: string | undefined;
  interval?: string | undefined;
  resolver?: readonly string[] | undefined;
  force?: true | undefined;
}): Promise<DomainWait | undefined> {
  if (flags.wait === undefined) {
    if (flags.waitTimeout !== undefined) throw new UsageError('--wait-timeout needs --wait');
    if (flags.interval !== undefined) throw new UsageError('--interval needs --wait');
    if (flags.resolver !== undefined) throw new UsageError('--resolver needs --wait');
    if (flags.force !== undefined) throw new UsageError('--force needs --wait');
    return undefined;
  }
  const polling = await pollingOf(flags, defaultWaitTimeout);
  const { parseResolvers } = await import('./dns/parse-resolvers.ts');
  const resolvers = parseResolvers(flags.resolver);
  return { ...polling, resolvers, force: flags.force === true };
}
