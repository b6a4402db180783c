import { callSignature } from './signature.ts';

/** The version of the body's shape. */
const version = '2026-01-18';

/** An event to be told, before it is sent for the `attempt`th time, from 1. */
export interface WebhookCall {
  /** Of the call, the same at each attempt. */
  readonly id: string;
  /** Such as `email.delivered`; any text to try a handler with. */
  readonly type: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly teamId: number;
  readonly data: unknown;
  readonly attempt: number;
}

/** The JSON text of a call. */
export function callText({ id, type, createdAt, teamId, data, attempt }: WebhookCall): string {
  return JSON.stringify({ id, type, version, createdAt, teamId, data, attempt });
}

/** The headers of a call whose body is `body`, signed at `now`, milliseconds since 1970. */
export function callHeaders(
  { id, type, attempt }: Pick<WebhookCall, 'id' | 'type' | 'attempt'>,
  body: string,
  { secret, now }: { readonly secret: string; readonly now: number },
): Record<string, string> {
  const timestamp = String(now);
  return {
    'content-type': 'application/json',
    'user-agent': 'UseSend-Webhook/1.0',
    'x-usesend-event': type,
    'x-usesend-call': id,
    'x-usesend-timestamp': timestamp,
    'x-usesend-signature': callSignature(secret, timestamp, body),
    'x-usesend-retry': String(attempt > 1),
  };
}
