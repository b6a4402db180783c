import { UsageError } from '../../base/errors.ts';
import type { EmbeddedService } from '../../base/system/system.ts';
import type { Account, AccountFlags } from './resolve-account.ts';

/** Throws a `UsageError` for a flag that selects a real account along with `--sandbox`. */
export function refuseAccountFlags(flags: AccountFlags): void {
  for (const [name, value] of [
    ['--profile', flags.profile],
    ['--base-url', flags.baseUrl],
  ]) {
    if (value) throw new UsageError(`--sandbox and ${name} cannot be used together`);
  }
}

/** The account of the sandbox. It has no profile: no setting of a real account applies. */
export function sandboxAccount(flags: AccountFlags, sandbox: EmbeddedService): Account {
  refuseAccountFlags(flags);
  return {
    profile: undefined,
    baseUrl: sandbox.baseUrl,
    baseUrlSource: '--sandbox',
    keySource: '--sandbox',
    key: async () => sandbox.apiKey,
    service: () => sandbox.baseUrl,
  };
}
