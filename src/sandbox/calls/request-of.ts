import { callHeaders, callText } from '../../shared/webhook/call.ts';
import { teamId } from '../model/api-account.ts';
import { iso } from '../model/iso.ts';
import type { DueCall } from '../model/webhooks.ts';

/** The request of a call's attempt, from 1, that was signed at `now`, milliseconds since 1970. */
export function requestOf(
  { id, type, createdAt, data, secret }: Omit<DueCall, 'dueAt'>,
  attempt: number,
  now: number,
): { readonly headers: Record<string, string>; readonly body: string } {
  const created = iso(createdAt);
  const body = callText({ id, type, createdAt: created, teamId, data: JSON.parse(data), attempt });
  return { headers: callHeaders({ id, type, attempt }, body, { secret, now }), body };
}
