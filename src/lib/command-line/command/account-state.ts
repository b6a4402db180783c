import type { ReputationStatus } from '../../../api/reputation.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { CallOptions } from '../../service/http/client.ts';
import { bestEffort } from './best-effort.ts';
import type { Context } from './context.ts';

/** The account's state; undefined if the service does not tell, to this key or within a moment. */
export async function fetchAccountState(
  context: Pick<Context, 'call' | 'system'>,
  options: Pick<CallOptions, 'turn' | 'onSend' | 'onResponse'> = {},
): Promise<ReputationStatus | undefined> {
  return await bestEffort(context, (within) =>
    context.call('reputation.status', {}, { ...options, ...within }),
  );
}

/** Whether the account is blocked. */
export function isBlocked(accountState: ReputationStatus | undefined): boolean {
  return accountState?.state === 'BLOCKED';
}

/** What the account's state means for what is about to be sent; `held` is what happens to that if it is blocked. */
export function accountStateNotes(
  accountState: ReputationStatus | undefined,
  held: string,
): string[] {
  if (isBlocked(accountState)) return [`The account is blocked: ${held}.`];
  const { state, supervisedDailyLimit } = accountState ?? {};
  if (state !== 'SUPERVISED' || typeof supervisedDailyLimit !== 'number') return [];
  return [`The account is supervised: it may send ${grouped(supervisedDailyLimit)} emails a day.`];
}
