import type { SendBody } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { repeatCommand } from '../../command/repeat-command.ts';
import { MailerError } from '../../errors.ts';
import type { SendOptions } from '../../http/client.ts';
import type { SendRequest } from '../write/send-body.ts';

type SendAsOptions = Pick<SendOptions, 'idempotencyKey' | 'expect' | 'whole'>;

/**
 * Sends an email. Where the service rejects it because its sender's domain is registered with other upper
 * and lower case, it is sent as registered. Throws the error of a rejection with what to do about it.
 */
export async function sendAsRegistered(
  context: Context,
  { body, nameOf, settled, hintIfUnknown }: SendRequest,
  { idempotencyKey: givenKey, expect, whole }: SendAsOptions,
): Promise<{ readonly emailId: string }> {
  // The same for both requests: whatever the first one led to, nothing is sent twice.
  const idempotencyKey = givenKey ?? expect ?? context.system.uuid();
  const keyIsNew = givenKey === undefined && expect === undefined;
  const key = { idempotencyKey, keyIsNew, expect, whole };
  const send = async (changes: Partial<SendBody>, flags: typeof settled) =>
    await context.call(
      'email.send',
      { body: { ...body, ...changes } },
      {
        ...key,
        nameOf,
        hintIfUnknown: hintIfUnknown ?? repeatCommand(context, { ...settled, ...flags }),
      },
    );
  try {
    return await send({}, {});
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    const { explainRefusal } = await import('./explain-refusal.ts');
    const { error: explained, sender } = await explainRefusal(error, context, body);
    // With another sender it is not the email that was approved.
    if (sender === undefined || expect !== undefined) throw explained;
    const reply = await send({ from: sender }, { '--from': sender });
    context.notes.say(
      `The domain is registered with different capitalization. Sent from: ${sender}`,
    );
    return reply;
  }
}
