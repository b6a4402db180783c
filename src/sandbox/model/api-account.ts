/** The key of the sandbox's own account. It gives access to local data only, so it is not secret. */
export const sandboxApiKey = 'us_sandbox_local';

/** Another key of that account, with which people try what a change of keys does. */
export const secondApiKey = 'us_sandbox_second';

/** A third key of that account. With it, the account is BLOCKED: every send gets 403. */
export const blockedApiKey = 'us_sandbox_blocked';

/** The account's id: the API calls accounts teams. */
export const teamId = 1;
export const teamName = 'Sandbox';

export interface ApiAccount {
  readonly blocked: boolean;
}

/** The account that `key` belongs to; undefined for an unknown key. */
export function accountOf(key: string): ApiAccount | undefined {
  if (key === blockedApiKey) return { blocked: true };
  const isKnown = key === sandboxApiKey || key === secondApiKey || testAccountOf(key) !== undefined;
  return isKnown ? { blocked: false } : undefined;
}

/** The name of a test account, which its first use makes; undefined for the sandbox's own account. */
export type AccountName = string | undefined;

const testKey = /^us_sandbox_test_([A-Za-z0-9_-]{1,64})$/;

/** The test account that `key` belongs to; undefined for every other key. */
export function testAccountOf(key: string): AccountName {
  return testKey.exec(key)?.[1];
}

/** The key of an account. */
export function keyOf(account: AccountName): string {
  return account === undefined ? sandboxApiKey : `us_sandbox_test_${account}`;
}

/** The path below which the pages of an account are, without a slash at the end. */
export function pagesOf(account: AccountName): string {
  return account === undefined ? '' : `/accounts/${account}`;
}
