import { callHeaders, callText, type WebhookCall } from '../../../shared/webhook/call.ts';
import { exampleEventData } from '../../../shared/webhook/events.ts';
import { UnavailableError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { gradeOf } from './judge.ts';
import type { CallSender, HandlerResponse } from './send-call.ts';
import type { Grade } from './webhook-shapes.ts';

/** What the checks send with. */
interface Grader {
  readonly system: System;
  readonly sender: CallSender;
  readonly url: URL;
  readonly secret: string;
}

/** How far a call differs from a good one. */
interface Difference {
  readonly call?: Partial<WebhookCall>;
  /** Another text in place of the one that is signed. */
  readonly sentText?: (text: string) => string;
  /** Another text to sign and send. */
  readonly text?: (text: string) => string;
  readonly secret?: string;
  /** Its timestamp, if not the time. */
  readonly at?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** How many calls are sent at once. */
const many = 20;

/** Bytes of a huge body. */
const huge = 512 * 1024;

/**
 * Yields a grade for each check of a handler, in the order in which they are carried out. Throws an
 * `UnavailableError` if the first call gets no response.
 */
export async function* gradeHandler(grader: Grader): AsyncGenerator<Grade> {
  const { system, secret } = grader;
  const newId = () => `call_${system.uuid()}`;
  const at = system.now();
  const good = { call: { id: newId(), createdAt: new Date(at).toISOString() }, at };
  const send = (difference: Difference = {}) => sendCall(grader, newId(), difference);
  const email = (id: string, type: 'email.opened' | 'email.sent', ago: number) => {
    const iso = new Date(system.now() - ago).toISOString();
    return { type, createdAt: iso, data: { ...exampleEventData(type, iso), id } };
  };

  const first = await send(good);
  refuseSilence(first);
  yield gradeOf('good-call', 'accept', first);
  yield gradeOf(
    'unusual-json',
    'accept',
    await send({
      text: (text) => JSON.stringify(JSON.parse(text), null, 1).replace('@', '\\u0040'),
    }),
  );
  const without = { 'x-usesend-signature': undefined, 'x-usesend-timestamp': undefined };
  yield gradeOf('no-signature', 'reject', await send({ headers: without }));
  yield gradeOf('wrong-signature', 'reject', await send({ secret: `${secret}x` }));
  yield gradeOf('old-timestamp', 'reject', await send({ at: at - 10 * 60_000 }));
  // With the very signature that was accepted, which the handler may have remembered.
  const changed = (text: string) => text.replace('hello@', 'jello@');
  yield gradeOf('changed-body', 'reject', await send({ ...good, sentText: changed }));
  yield gradeOf('unknown-event', 'accept', await send({ call: { type: 'email.reviewed' } }));
  const id = newId();
  yield gradeOf('same-call-twice', 'accept', [
    ...(await send({ call: { id } })),
    ...(await send({ call: { id, attempt: 2 } })),
  ]);
  const emailId = `email_${newId()}`;
  yield gradeOf('out-of-order', 'accept', [
    ...(await send({ call: email(emailId, 'email.opened', 0) })),
    ...(await send({ call: email(emailId, 'email.sent', 2000) })),
  ]);
  const createdAt = new Date(system.now() - 200_000).toISOString();
  yield gradeOf('after-500', 'accept', await send({ call: { attempt: 6, createdAt } }));
  yield gradeOf('first-call-late', 'accept', await send({ call: { attempt: 4 } }));
  // Of an email of which nothing was told before.
  const unheard = email(`email_${newId()}`, 'email.opened', 0);
  yield gradeOf('missing-calls', 'accept', await send({ call: unheard }));
  const subject = 'x'.repeat(huge);
  const large = { ...exampleEventData('email.sent', createdAt), subject };
  yield gradeOf('huge-body', 'accept', await send({ call: { type: 'email.sent', data: large } }));
  const all = await Promise.all(Array.from({ length: many }, () => send()));
  yield gradeOf('many-at-once', 'accept', all.flat());
  yield gradeOf(
    'content-type',
    'accept',
    await send({ headers: { 'content-type': 'application/json; charset=utf-8' } }),
  );
}

/** Throws an `UnavailableError` if there was no response, which would say nothing about a handler. */
function refuseSilence(responses: readonly HandlerResponse[]): void {
  const silent = responses.find(({ status }) => status === null);
  if (silent === undefined) return;
  throw new UnavailableError(`Nothing was checked: ${silent.response}`, {
    hint: 'Start the handler, or check the URL.',
  });
}

/** Sends one call; an array, so that the responses of several can be joined. */
async function sendCall(
  { system, sender, url, secret }: Grader,
  id: string,
  difference: Difference,
): Promise<HandlerResponse[]> {
  const now = difference.at ?? system.now();
  const createdAt = new Date(system.now()).toISOString();
  const type = 'email.delivered';
  const data = exampleEventData(type, createdAt);
  const call = { id, type, createdAt, teamId: 1, data, attempt: 1, ...difference.call };
  const text = difference.text?.(callText(call)) ?? callText(call);
  const signed = callHeaders(call, text, { secret: difference.secret ?? secret, now });
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...signed, ...difference.headers })) {
    if (value !== undefined) headers[name] = value;
  }
  return [await sender.send({ url, headers, body: difference.sentText?.(text) ?? text })];
}
