import { UseSend, type WebhookVerificationError } from 'usesend-js';
import { expect, test } from 'vitest';
import { callHeaders, callText } from '../../../src/shared/webhook/call.ts';
import { eventTypes } from '../../../src/shared/webhook/event-types.ts';
import { dataSchemas, exampleEventData } from '../../../src/shared/webhook/events.ts';
import { verifyCall } from '../../../src/shared/webhook/signature.ts';

const secret = 'whsec_0123456789';
const client = new UseSend('us_key_example').webhooks(secret);

type Headers = Readonly<Record<string, string>>;

function callAt(now: number, data: unknown = { note: 'Olá, 𝒪 \u2028' }) {
  const call = { id: 'call_1', type: 'x.y', createdAt: 'now', teamId: 1, data, attempt: 2 };
  const body = callText(call);
  return { body, headers: callHeaders(call, body, { secret, now }) };
}

/** The reason by the published client, and by this program. */
function reasons(body: unknown, headers: Headers): [string | undefined, string | undefined] {
  let theirs: string | undefined;
  try {
    // It accepts fewer types than handlers have.
    client.constructEvent(body as string, { headers });
  } catch (error) {
    theirs = (error as WebhookVerificationError).code;
  }
  const ours = verifyCall(body, (name) => headers[name], { secret, now: Date.now() });
  return [theirs, ours.reason];
}

test.each(eventTypes)('the published client accepts %s as we sign it', (type) => {
  const at = new Date().toISOString();
  const data = exampleEventData(type, at);
  expect(dataSchemas[type].safeParse(data).error).toBeUndefined();
  const { body, headers } = callAt(Date.now(), data);
  expect(client.constructEvent(body, { headers }).data).toEqual(data);
  expect(headers['x-usesend-retry']).toBe('true');
});

const { body, headers } = callAt(Date.now());
const without = (name: string) => ({ ...headers, [name]: '' });
const old = callAt(Date.now() - 301_000);
const early = callAt(Date.now() + 302_000);
const notJson = '{"a":';
const signed = callHeaders({ id: 'a', type: 'b', attempt: 1 }, notJson, {
  secret,
  now: Date.now(),
});
const forged = callHeaders({ id: 'a', type: 'b', attempt: 1 }, body, {
  secret: 'whsec_another',
  now: Date.now(),
});

test.each<[what: string, reason: string | undefined, body: unknown, headers: Headers]>([
  ['a call', undefined, body, headers],
  ['its bytes', undefined, Buffer.from(body), headers],
  ['no signature', 'MISSING_SIGNATURE', body, without('x-usesend-signature')],
  ['no timestamp', 'MISSING_TIMESTAMP', body, without('x-usesend-timestamp')],
  ['no v1', 'INVALID_SIGNATURE_FORMAT', body, { ...headers, 'x-usesend-signature': 'abc' }],
  ['no number', 'INVALID_TIMESTAMP', body, { ...headers, 'x-usesend-timestamp': 'today' }],
  ['an old call', 'TIMESTAMP_OUT_OF_RANGE', old.body, old.headers],
  ['a call of later', 'TIMESTAMP_OUT_OF_RANGE', early.body, early.headers],
  ['another secret', 'SIGNATURE_MISMATCH', body, forged],
  ['one byte less', 'SIGNATURE_MISMATCH', body.slice(0, -1), headers],
  ['a short signature', 'SIGNATURE_MISMATCH', body, { ...headers, 'x-usesend-signature': 'v1=a' }],
  ['bytes that are no UTF-8', 'SIGNATURE_MISMATCH', Buffer.from([0xff, 0x7b]), headers],
  ['what a framework parsed', 'INVALID_BODY', { id: 'call_1' }, headers],
  ['no JSON', 'INVALID_JSON', notJson, signed],
])('%s is %s, for the published client, too', (_, reason, given, sent) => {
  expect(reasons(given, sent)).toEqual([reason, reason]);
});
