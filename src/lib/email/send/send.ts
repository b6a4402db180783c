import type { SendBody } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { UsageError } from '../../errors.ts';
import type { NameOf } from '../../http/check.ts';
import type { Result } from '../../output/result.ts';
import { emailWait } from '../wait/wait-flags.ts';
import { readSendRequest } from '../write/send-body.ts';
import type { SendFlags } from '../write/send-flags.ts';
import { sendAndShow } from './send-and-show.ts';

/** Sends one email, or shows it with `--preview`. */
export async function sendOrPreview(
  context: Context,
  options: SendFlags & {
    idempotencyKey?: string;
    expect?: string;
    wait?: string | true;
    waitTimeout?: string;
  },
): Promise<Result> {
  const wait = emailWait(options);
  if (options.open === true && options.preview !== true) {
    throw new UsageError('--open needs --preview');
  }
  if (options.preview === true) {
    const { previewEmail, refuseBesidePreview } = await import('../write/preview.ts');
    refuseBesidePreview(options, ['wait', 'waitTimeout', 'idempotencyKey', 'expect']);
    const { body, nameOf } = await readSendRequest(context, options);
    await checkSend(body, nameOf);
    const preview = await previewEmail(context, body, options.open === true);
    if (options.check !== true) return preview;
    const { checkOutgoing } = await import('../../check/before-sending.ts');
    return {
      ...preview,
      failure: await checkOutgoing(context, [{ fields: body }], { kind: 'email' }),
    };
  }
  const request = await readSendRequest(context, options);
  const { body } = request;
  if (options.check === true) {
    const { checkBeforeSending } = await import('../../check/before-sending.ts');
    await checkBeforeSending(context, [{ fields: body }], { kind: 'email' });
  }
  if (request.asked) {
    await checkSend(body, request.nameOf);
    const { confirmSend } = await import('./confirm-send.ts');
    await confirmSend(body, context);
  }
  const { idempotencyKey, expect } = options;
  return await sendAndShow(context, request, { idempotencyKey, expect, wait });
}

/** Throws a `UsageError` for what the service would reject. */
async function checkSend(body: SendBody, nameOf: NameOf): Promise<void> {
  const [{ sendEmail }, { checkInput }] = await Promise.all([
    import('../../../api/email.ts'),
    import('../../http/check.ts'),
  ]);
  checkInput(sendEmail, { body }, nameOf);
}
