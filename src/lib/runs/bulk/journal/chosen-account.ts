import { isSandbox } from '../../../command-line/command/account-in-use.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { type KnownAccount, keyDigest } from './known-account.ts';
import { readHeader } from './run-header.ts';
import { partsOfName } from './run-name.ts';
import type { RunStore } from './run-store.ts';

interface OwnedRun {
  readonly account: KnownAccount;
  /** Where it was last sent, and with the key of which profile; undefined if its journal cannot be read. */
  readonly baseUrl?: string | undefined;
  readonly profile?: string | undefined;
}

/**
 * Tells whether a run, by the name of its directory, is of the account that flags, environment and profile choose. It
 * makes no request and runs no key command: then the profile tells. Every run is if there is no base URL, and one of which
 * nothing can be read may be.
 */
export async function ofChosenAccount(
  { account }: Pick<Context, 'account'>,
  store: RunStore,
): Promise<(name: string) => boolean> {
  const { baseUrl, profile, keySource, ...chosen } = await account();
  if (baseUrl === undefined) return () => true;
  const isStored = keySource === `profile ${profile}`;
  const isAtHand = isStored || keySource === 'MAILER_API_KEY' || keySource === '--sandbox';
  const key = isAtHand ? await chosen.key().catch(() => undefined) : undefined;
  return (name) => {
    const run = ownedRun(store, name);
    if (run === undefined) return true;
    const { services, keys } = run.account;
    // A key of a sandbox is recorded with its data.
    const secrets =
      key === undefined ? [] : [key, ...services.filter(isSandbox).map((data) => `${key} ${data}`)];
    const { run: named } = partsOfName(name);
    // Wherever it was sent: an account may have several URLs.
    if (secrets.some((one) => keys.includes(keyDigest(named, one)))) return true;
    const isThere = services.includes(baseUrl) || run.baseUrl === baseUrl;
    // The profile may have got another key since.
    const isOfProfile = keySource !== 'MAILER_API_KEY' && run.profile === profile;
    return isThere && (keySource === undefined || (profile !== undefined && isOfProfile));
  };
}

function ownedRun(store: RunStore, name: string): OwnedRun | undefined {
  const header = store.look(name, readHeader);
  if (header === undefined) return store.label(name);
  const { account, baseUrl, line } = header;
  return { account, baseUrl, profile: line.common.profile };
}
