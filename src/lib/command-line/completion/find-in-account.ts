import { AuthError } from '../../base/errors.ts';
import { sandboxDirectory } from '../../base/files/directories.ts';
import type { System } from '../../base/system/system.ts';
import { resolveAccount } from '../../service/account/resolve-account.ts';
import { openCache } from './cache.ts';
import type { Service } from './fetch-candidates.ts';
import type { AccountSource, AccountWords, Candidate } from './offer.ts';
import { readStored } from './stored-config.ts';

/**
 * What the account of a command line has, from a recent cache if possible. Prints nothing, and runs no key
 * command, which might ask for a password when somebody only pressed TAB. Throws without an account.
 */
export async function findInAccount(
  source: AccountSource,
  flags: AccountWords,
  system: System,
): Promise<readonly Candidate[]> {
  if (flags.sandbox === true) return await findInSandbox(source, flags, system);
  const { config, version } = readStored(system);
  const account = resolveAccount({
    flags,
    env: system.env,
    config,
    runShell: () => Promise.reject(new AuthError('A key command is not run for TAB.')),
    warn: () => {},
  });
  // Before reading the cache: without a key there is no account to complete for.
  const apiKey = await account.key();
  const baseUrl = account.service();
  const { book } = flags;
  // A key from the environment can change at any time, and the cache stores nothing that identifies a key:
  // for such a key, it records only that the service did not respond.
  const isStored = account.keySource === `profile ${account.profile}`;
  const profile = isStored
    ? { profile: account.profile ?? '', version }
    : { profile: '', version: '' };
  const cache = openCache(system, { baseUrl, source, book, ...profile });
  const cached = cache.read();
  if (cached?.fresh === true) return cached.candidates;
  try {
    const transport = await system.network(system);
    const candidates = await ask(source, { transport, baseUrl, apiKey }, system, book);
    if (isStored) cache.write(candidates, true);
    return candidates;
  } catch (error) {
    if (system.signal.aborted) throw error;
    const isRefused = error instanceof AuthError;
    // Hide what a rejected key may no longer see; after other errors, old values are better than none.
    const candidates = isRefused ? [] : (cached?.candidates ?? []);
    if (isStored || !isRefused) cache.write(candidates, false);
    return candidates;
  }
}

/** Never cached: the sandbox is local, and every command may change it. */
async function findInSandbox(
  source: AccountSource,
  { profile, baseUrl, book }: AccountWords,
  system: System,
): Promise<readonly Candidate[]> {
  // Every command rejects these flags with --sandbox.
  if (profile || baseUrl) return [];
  const sandbox = await system.sandbox(sandboxDirectory(system), system.env.MAILER_API_KEY);
  return await ask(source, sandbox, system, book);
}

async function ask(
  source: AccountSource,
  service: Service,
  system: System,
  book: string | undefined,
): Promise<readonly Candidate[]> {
  const { fetchCandidates } = await import('./fetch-candidates.ts');
  try {
    return await fetchCandidates(source, service, system, book);
  } finally {
    await service.transport.close();
  }
}
