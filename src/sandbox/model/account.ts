/** The key of the sandbox's account. It opens nothing but local data, so it is no secret. */
export const sandboxApiKey = 'us_sandbox_local';

/**
 * A second key of the same account, for which its newest deliverability state is BLOCKED: it can
 * read and write as the first one can, but every send gets 403.
 */
export const blockedApiKey = 'us_sandbox_blocked';

/** The account's (team's) id, as `teamId` shows it. */
export const teamId = 1;

export interface ApiAccount {
  readonly blocked: boolean;
}

/** The account that `key` belongs to, or undefined for a key that was never issued. */
export function accountOf(key: string): ApiAccount | undefined {
  if (key === sandboxApiKey) return { blocked: false };
  if (key === blockedApiKey) return { blocked: true };
  return undefined;
}
