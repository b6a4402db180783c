import { sandboxDirectory } from '../lib/base/files/directories.ts';
import type { LocalContext } from '../lib/command-line/command/context.ts';
import { isLoopback } from '../lib/service/http/network/base-url.ts';
import { keyOf, pagesOf, testAccountOf } from '../sandbox/model/api-account.ts';
import type { SandboxAccount } from '../sandbox/open.ts';
import { accountDirectory, hasAccount } from '../sandbox/seeds/accounts.ts';
import { hasData } from '../sandbox/seeds/data.ts';
import { attempt } from '../shared/attempt.ts';
import { openLocalAccount } from './data.ts';
import { readMark } from './sandbox-mark.ts';

// A sandbox command is about the account whose key is in the environment, as with --sandbox, and says so if it is a
// test account.

/** The name of that account; undefined for the sandbox's own one. */
function chosenName({ system, notes }: LocalContext): string | undefined {
  const key = system.env.MAILER_API_KEY?.trim() ?? '';
  const name = testAccountOf(key);
  if (name !== undefined) notes.say(`Account: ${key}, from MAILER_API_KEY.`);
  return name;
}

/** The key of that account at a sandbox elsewhere. No key of a service is one. */
export function chosenKey(context: LocalContext): string | undefined {
  const name = chosenName(context);
  return name === undefined ? undefined : keyOf(name);
}

/** The URL of the inbox of that account. */
export function chosenInbox(context: LocalContext, url: string): string {
  const name = chosenName(context);
  const isThere = name !== undefined && hasAccount(sandboxDirectory(context.system), name);
  return isThere ? `${url}${pagesOf(name)}/` : url;
}

/** Where the data of that account is. */
export function chosenDirectory(context: LocalContext): string {
  const directory = sandboxDirectory(context.system);
  const name = chosenName(context);
  return name === undefined ? directory : accountDirectory(directory, name);
}

/** Whether that account has data, because it was used. */
export function isChosenUsed(context: LocalContext): boolean {
  return hasData(chosenDirectory(context));
}

/** Opens that account; a `UsageError` says why it cannot be opened. */
export async function openChosenAccount(context: LocalContext): Promise<SandboxAccount> {
  const { system } = context;
  chosenName(context);
  await warnOfOtherData(context);
  const options = { directory: sandboxDirectory(system), now: system.now };
  const { sandbox, account } = await openLocalAccount(options, system.env.MAILER_API_KEY);
  return { ...account, close: sandbox.close };
}

/** Warns if programs under test use a sandbox on this machine that has other data. */
async function warnOfOtherData({ system, notes, flags }: LocalContext): Promise<void> {
  if (flags.sandbox === true) return;
  const used = attempt(() => new URL(system.env.MAILER_BASE_URL ?? ''), undefined);
  if (used === undefined || !isLoopback(used.hostname)) return;
  const directory = sandboxDirectory(system);
  const served = await readMark(directory);
  if (served !== undefined && new URL(served.url).port === used.port) return;
  notes.warn(
    `MAILER_BASE_URL is ${used.href}, but this is about the data in ${directory}. For other data, set MAILER_SANDBOX_DIR.`,
  );
}
