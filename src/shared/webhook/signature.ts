import { createHmac, timingSafeEqual } from 'node:crypto';
import { attempt } from '../attempt.ts';

/** Why a call is not genuine: the error codes of the published client. */
export type InvalidReason =
  | 'MISSING_SIGNATURE'
  | 'MISSING_TIMESTAMP'
  | 'INVALID_SIGNATURE_FORMAT'
  | 'INVALID_TIMESTAMP'
  | 'TIMESTAMP_OUT_OF_RANGE'
  | 'INVALID_BODY'
  | 'SIGNATURE_MISMATCH'
  | 'INVALID_JSON';

/** What each reason means, as a sentence. */
export const reasonText: Readonly<Record<InvalidReason, string>> = {
  MISSING_SIGNATURE: 'There is no header X-UseSend-Signature.',
  MISSING_TIMESTAMP: 'There is no header X-UseSend-Timestamp.',
  INVALID_SIGNATURE_FORMAT: 'X-UseSend-Signature does not begin with v1=.',
  INVALID_TIMESTAMP: 'X-UseSend-Timestamp is not a number of milliseconds.',
  TIMESTAMP_OUT_OF_RANGE: 'X-UseSend-Timestamp differs by more than 5 minutes from the time.',
  INVALID_BODY: 'The body is neither text nor bytes.',
  SIGNATURE_MISMATCH: 'The signature belongs to another body, timestamp or secret.',
  INVALID_JSON: 'The signature is right, but the body is not JSON.',
};

/** How old a call may be, or how far ahead, in milliseconds. */
export const tolerance = 5 * 60_000;

/** The signature of a body at a timestamp, which is the header's text. */
export function callSignature(
  secret: string,
  timestamp: string,
  body: string | Uint8Array,
): string {
  const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body);
  return `v1=${hmac.digest('hex')}`;
}

/** Finds the header of this name, which is in lower case; its values, if it stands several times, as Node joins them. */
export type HeaderOf = (name: string) => string | undefined;

type Verdict =
  | { readonly reason: InvalidReason }
  /** `event` is the JSON of the body. */
  | { readonly reason?: undefined; readonly event: unknown };

/**
 * Checks a call as the published client does, at `now` (milliseconds since 1970): headers, age, signature, then the
 * JSON. A body of bytes is read as UTF-8 first, as the client does.
 */
export function verifyCall(
  body: unknown,
  header: HeaderOf,
  { secret, now }: { readonly secret: string; readonly now: number },
): Verdict {
  const signature = header('x-usesend-signature');
  const timestamp = header('x-usesend-timestamp');
  if (!signature) return { reason: 'MISSING_SIGNATURE' };
  if (!timestamp) return { reason: 'MISSING_TIMESTAMP' };
  if (!signature.startsWith('v1=')) return { reason: 'INVALID_SIGNATURE_FORMAT' };
  const at = Number(timestamp);
  if (!Number.isFinite(at)) return { reason: 'INVALID_TIMESTAMP' };
  if (Math.abs(now - at) > tolerance) return { reason: 'TIMESTAMP_OUT_OF_RANGE' };
  const text = textOf(body);
  if (text === undefined) return { reason: 'INVALID_BODY' };
  const [given, right] = [signature, callSignature(secret, timestamp, text)].map((one) =>
    Buffer.from(one),
  );
  const isSame = given?.length === right?.length && given && right && timingSafeEqual(given, right);
  if (!isSame) return { reason: 'SIGNATURE_MISMATCH' };
  return attempt(() => ({ event: JSON.parse(text) }), { reason: 'INVALID_JSON' });
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : undefined;
}
