import { attempt } from '../../../shared/attempt.ts';
import {
  type HeaderOf,
  type InvalidReason,
  reasonText,
  verifyCall,
} from '../../../shared/webhook/signature.ts';

const prefix = 'whsec_';

/** Another value than the one that was given, and how the two differ, as the end of "It is right …". */
type Other = readonly [value: string, words: string];

/** Sentences about a call that is not valid: the reason, and what usually leads to it, if that is so here. */
export function explainInvalid(
  reason: InvalidReason,
  body: Uint8Array,
  header: HeaderOf,
  secret: string,
): readonly string[] {
  const sentences = [reasonText[reason]];
  const timestamp = header('x-usesend-timestamp') ?? '';
  const isOld = reason === 'TIMESTAMP_OUT_OF_RANGE';
  if (isOld && /^\d{9,10}$/.test(timestamp)) {
    sentences.push(`${timestamp} is in seconds; services send milliseconds.`);
  }
  if (!isOld && reason !== 'SIGNATURE_MISMATCH') return sentences;
  /** Whether the call would be genuine, whatever its age. */
  const isGenuine = (text: string, key: string, at: string) => {
    const headerAt: HeaderOf = (name) => (name === 'x-usesend-timestamp' ? at : header(name));
    const { reason: other } = verifyCall(text, headerAt, { secret: key, now: Number(at) });
    return other === undefined;
  };
  const text = Buffer.from(body).toString('utf8');
  if (isGenuine(text, secret, timestamp)) return sentences;
  if (isOld) sentences.push('Its signature is wrong, too.');
  const differences: string[][] = [];
  for (const [otherBody, ofBody] of [[text, ''] as const, ...otherBodies(text)]) {
    for (const [key, ofKey] of [[secret, ''] as const, ...otherSecrets(secret)]) {
      for (const [at, ofTime] of [[timestamp, ''] as const, ...otherTimestamps(timestamp)]) {
        if (!isGenuine(otherBody, key, at)) continue;
        differences.push([ofBody, ofKey, ofTime].filter((words) => words !== ''));
      }
    }
  }
  const [fewest] = differences.sort((a, b) => a.length - b.length);
  if (fewest !== undefined) sentences.push(`It is right ${fewest.join(', and ')}.`);
  return sentences;
}

function otherBodies(text: string): readonly Other[] {
  const added = 'without the line break at the end of the body, which an editor or a shell added';
  const parsed = attempt(() => ({ json: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown }), {});
  const written =
    'json' in parsed
      ? [undefined, 2, 4, '\t'].flatMap((indent) => {
          const json = JSON.stringify(parsed.json, undefined, indent);
          return [json, `${json}\n`];
        })
      : [];
  const words = 'with the JSON of the body formatted in another way: verify the bytes as received';
  return [
    [text.replace(/\r?\n$/, ''), added],
    ...written.map((json): Other => [json, `${words}, before they are parsed`]),
  ];
}

function otherSecrets(secret: string): readonly Other[] {
  const bare = secret.replace(/^(["'`])(.+)\1$/, '$2').replace(/(?:\\r)?\\n$/, '');
  return [
    [prefix + secret, `with ${prefix} before the secret, which is part of it`],
    [bare, 'without the quotes or the \\n around the secret, which are not part of it'],
    [`${secret}\n`, 'with a line break after the secret, which the signer took for part of it'],
    [`${secret}\r\n`, 'with a line break after the secret, which the signer took for part of it'],
  ];
}

function otherTimestamps(timestamp: string): readonly Other[] {
  return [
    [`${timestamp}000`, 'with a timestamp in milliseconds, but the header has seconds'],
    [
      timestamp.replace(/\d{3}$/, ''),
      'with a timestamp in seconds, but it must be in milliseconds',
    ],
  ];
}
