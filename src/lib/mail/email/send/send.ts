import { type MailerError, UsageError, when } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Result } from '../../../command-line/output/result.ts';
import { checkIdempotencyKey } from '../../../service/http/check-request.ts';
import { emailUnder } from '../../../service/policy/email-under.ts';
import { emailWait } from '../wait/wait-flags.ts';
import { type ReadRequest, readSendRequest } from '../write/send-body.ts';
import type { SendFlags } from '../write/send-flags.ts';
import { confirmSend } from './confirm-send.ts';
import { sendAndShow } from './send-and-show.ts';

/** Sends one email, or shows it with `--preview`. */
export async function sendOrPreview(
  context: Context,
  options: SendFlags & {
    idempotencyKey?: string;
    expect?: string;
    wait?: string | true | undefined;
    waitTimeout?: string;
  },
): Promise<Result> {
  const wait = emailWait(options);
  const { idempotencyKey, expect } = options;
  if (options.open === true && options.preview !== true) {
    throw new UsageError('--open needs --preview');
  }
  const preview = options.preview ? await import('../write/preview-email.ts') : undefined;
  preview?.refuseBeside('--preview', options, ['wait', 'waitTimeout', 'idempotencyKey', 'expect']);
  if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey);
  const request = await readSendRequest(context, options);
  const isChecked = options.check === true;
  let failure: MailerError | undefined = isChecked
    ? await errorOfCheck(context, request)
    : undefined;
  const passed =
    failure === undefined
      ? await request.pass(isChecked).catch(
          when(UsageError, (error) => {
            failure = error;
          }),
        )
      : undefined;
  if (failure !== undefined && preview === undefined) throw failure;
  const { policy } = await context.policy();
  const examined = emailUnder(policy, request.body);
  if (preview !== undefined) {
    const shown = request.filled(examined.email);
    const result = await preview.previewEmail(context, shown, options.open === true);
    return { ...result, failure };
  }
  // Without it, there is a failure.
  if (passed === undefined) throw failure;
  if (request.asked) {
    await confirmSend(examined, context);
  }
  return await sendAndShow(
    context,
    { ...request, passed },
    { idempotencyKey, expect, wait, examined },
  );
}

/** Reports what `--check` finds; an error if it stops the email. */
async function errorOfCheck(context: Context, { body, filled, isLiteral, places }: ReadRequest) {
  const { checkOutgoing } = await import('../../check/before-sending.ts');
  const checking = { kind: 'email', literal: isLiteral } as const;
  return await checkOutgoing(context, [{ fields: filled(body), places }], checking);
}
