/** The key of the sandbox's account. It gives access to local data only, so it is not secret. */
export const sandboxApiKey = 'us_sandbox_local';

/** A second key of the account. With it, the account is BLOCKED: every send gets 403. */
export const blockedApiKey = 'us_sandbox_blocked';

/** The account's id: the API calls accounts teams. */
export const teamId = 1;
export const teamName = 'Sandbox';

export interface ApiAccount {
  readonly blocked: boolean;
}

/** The account that `key` belongs to; undefined for an unknown key. */
export function accountOf(key: string): ApiAccount | undefined {
  if (key === sandboxApiKey) return { blocked: false };
  if (key === blockedApiKey) return { blocked: true };
  return undefined;
}
