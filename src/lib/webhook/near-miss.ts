import {
  type HeaderOf,
  type InvalidReason,
  reasonText,
  verifyCall,
} from '../../shared/webhook/signature.ts';

const prefix = 'whsec_';

/** Sentences about a call that is not valid: the reason, and what usually leads to it, if that is so here. */
export function explainInvalid(
  reason: InvalidReason,
  body: Uint8Array,
  header: HeaderOf,
  secret: string,
): readonly string[] {
  const sentences = [reasonText[reason]];
  /** Whether the call would be genuine, whatever its age. */
  const isGenuine = (bytes: Uint8Array, key: string) => {
    const now = Number(header('x-usesend-timestamp'));
    return verifyCall(bytes, header, { secret: key, now }).reason === undefined;
  };
  const isOld = reason === 'TIMESTAMP_OUT_OF_RANGE';
  if ((!isOld && reason !== 'SIGNATURE_MISMATCH') || isGenuine(body, secret)) return sentences;
  if (isOld) sentences.push('Its signature is wrong, too.');
  const text = Buffer.from(body).toString('latin1');
  const trimmed = body.subarray(0, text.replace(/\r?\n$/, '').length);
  if (trimmed.length < body.length && isGenuine(trimmed, secret)) {
    sentences.push(
      'It is right without the line break at the end of the body, which an editor or a shell added.',
    );
  }
  if (!secret.startsWith(prefix) && isGenuine(body, prefix + secret)) {
    sentences.push(`It is right with ${prefix} before the secret, which is a part of it.`);
  }
  return sentences;
}
