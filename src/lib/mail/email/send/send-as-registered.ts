import type { SendBody } from '../../../../api/email.ts';
import { MailerError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { repeatCommand } from '../../../command-line/command/repeat-command.ts';
import type { SendOptions } from '../../../service/http/client.ts';
import type { SendRequest } from '../write/send-body.ts';
import { explainRefusal } from './explain-refusal.ts';

type SendAsOptions = Pick<SendOptions, 'idempotencyKey' | 'expect' | 'whole' | 'unrecorded'>;

/**
 * Sends an email. If the service rejects it because the sender's domain is registered in different case,
 * sends it with the registered spelling. Throws the error of a rejection, with a hint.
 */
export async function sendAsRegistered(
  context: Context,
  { body, passed, settled, hintIfUnknown }: SendRequest,
  { idempotencyKey: givenKey, expect, whole, unrecorded }: SendAsOptions,
) {
  // Both requests share a key: whatever the outcome of the first, nothing is sent twice.
  const idempotencyKey = givenKey ?? expect ?? context.system.uuid();
  const keyIsNew = givenKey === undefined && expect === undefined;
  const key = { idempotencyKey, keyIsNew, expect, whole, unrecorded };
  const send = async (changes: Partial<SendBody>, flags: typeof settled) =>
    await context.callPassed(
      passed,
      'email.send',
      { body: { ...body, ...changes } },
      {
        ...key,
        hintIfUnknown: hintIfUnknown ?? repeatCommand(context, { ...settled, ...flags }),
      },
    );
  try {
    return await send({}, {});
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    const { error: explained, sender } = await explainRefusal(error, context, body);
    // With another sender it would not be the approved email.
    if (sender === undefined || expect !== undefined) throw explained;
    const reply = await send({ from: sender }, { '--from': sender });
    context.notes.say(
      `The domain is registered with different capitalization. Sent from: ${sender}`,
    );
    return reply;
  }
}
