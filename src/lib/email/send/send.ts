import type { SendBody } from '../../../api/email.ts';
import type { Context } from '../../command/context.ts';
import { unfilledLines } from '../../content/unfilled.ts';
import { UsageError } from '../../errors.ts';
import type { NameOf } from '../../http/check-request.ts';
import type { Result } from '../../output/result.ts';
import { emailWait } from '../wait/wait-flags.ts';
import { readSendRequest, type SendRequest } from '../write/send-body.ts';
import type { SendFlags } from '../write/send-flags.ts';
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
  if (options.open === true && options.preview !== true) {
    throw new UsageError('--open needs --preview');
  }
  const checking = { kind: 'email', literal: options.literal === true } as const;
  if (options.preview === true) {
    const { previewEmail, refuseBesidePreview } = await import('../write/preview-email.ts');
    refuseBesidePreview(options, ['wait', 'waitTimeout', 'idempotencyKey', 'expect']);
    const request = await readSendRequest(context, options);
    const { body, nameOf, filled = body } = request;
    await checkSend(body, nameOf);
    const failure =
      options.check === true
        ? await (await import('../../check/before-sending.ts')).checkOutgoing(
            context,
            [{ fields: filled }],
            checking,
          )
        : undefined;
    if (failure === undefined) refuseUnfilled(request);
    return { ...(await previewEmail(context, filled, options.open === true)), failure };
  }
  const request = await readSendRequest(context, options);
  const { body, filled = body } = request;
  if (options.check === true) {
    const { checkBeforeSending } = await import('../../check/before-sending.ts');
    await checkBeforeSending(context, [{ fields: filled }], checking);
  }
  refuseUnfilled(request);
  if (request.asked) {
    await checkSend(body, request.nameOf);
    const { confirmSend } = await import('./confirm-send.ts');
    await confirmSend(body, context);
  }
  const { idempotencyKey, expect } = options;
  return await sendAndShow(context, request, { idempotencyKey, expect, wait });
}

/** Throws a `UsageError` for placeholders that nothing fills in. */
function refuseUnfilled({ unfilled = [], body }: SendRequest): void {
  if (unfilled.length === 0) return;
  // Values of these names can be given in a flag.
  const names = unfilled.flatMap(({ written, isFixed }) =>
    isFixed ? [] : (/^\{\{\s*([A-Za-z_][\w-]*)\s*(?:[|,]|\}\})/.exec(written)?.[1] ?? []),
  );
  const vars = [...new Set(names)].slice(0, 3).map((name) => `--var ${name}=VALUE`);
  const [it, has, value] =
    unfilled.length === 1
      ? ['it', 'This placeholder has', 'its value']
      : ['them', 'These placeholders have', 'their values'];
  const hint = [
    `Nothing was ${body.scheduledAt === undefined ? 'sent' : 'scheduled'}.`,
    ...(vars.length === 0 ? [] : [`To fill ${it} in, give ${value}: ${vars.join(' ')}.`]),
    ...(unfilled.some(({ isFixed }) => isFixed)
      ? ['In addresses and headers, nothing is filled in.']
      : []),
    'To send the email as it is written, add --literal.',
  ].join(' ');
  throw new UsageError(`${has} no value:\n${unfilledLines(unfilled).join('\n')}`, { hint });
}

/** Throws a `UsageError` for what the service would reject. */
async function checkSend(body: SendBody, nameOf: NameOf): Promise<void> {
  const [{ sendEmail }, { checkInput }] = await Promise.all([
    import('../../../api/email.ts'),
    import('../../http/check-request.ts'),
  ]);
  checkInput(sendEmail, { body }, nameOf);
}
