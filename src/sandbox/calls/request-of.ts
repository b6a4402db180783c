import { callHeaders, callText } from '../../shared/webhook/call.ts';
import { teamId } from '../model/api-account.ts';
import { iso } from '../model/iso.ts';
import type { CallInFull, DueCall } from '../model/webhooks.ts';

/** The request of a call's attempt, from 1, that was signed at `now`, milliseconds since 1970. */
export function requestOf(
  { id, type, createdAt, data, secret }: Omit<DueCall, 'dueAt'>,
  attempt: number,
  now: number,
): { readonly headers: Record<string, string>; readonly body: string } {
  const created = iso(createdAt);
  const body = callText({ id, type, createdAt: created, teamId, data, attempt });
  return { headers: callHeaders({ id, type, attempt }, body, { secret, now }), body };
}

/** A call as it was last sent, or before that, as it will be. */
export type SentCallOfSandbox = ReturnType<typeof sentCallOf>;

export function sentCallOf(call: CallInFull) {
  const { id, type, url, createdAt, made } = call;
  const last = made.at(-1);
  const attempt = last?.attempt ?? 1;
  return {
    ...{ id, type, url, attempt, at: iso(last?.at ?? createdAt) },
    ...requestOf(call, attempt, last?.signedAt ?? createdAt),
    status: last?.status ?? null,
    response: last?.response ?? '',
  };
}
