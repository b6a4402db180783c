import type { CheckedEmail } from '../../../shared/check/finding.ts';
import type { Context } from '../../command/context.ts';
import { refuseForeign } from '../../content/foreign-tags.ts';
import { unfilledLines } from '../../content/unfilled.ts';
import { type MailerError, UsageError, usageErrorOf } from '../../errors.ts';
import { checkIdempotencyKey } from '../../http/check-request.ts';
import type { Result } from '../../output/result.ts';
import { emailUnder } from '../../policy/email-under.ts';
import { said } from '../../text/said.ts';
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
  let failure: MailerError | undefined =
    options.check === true ? await errorOfCheck(context, request) : undefined;
  if (failure === undefined) {
    refuseUnfilled(request);
    const { foreign } = request;
    // The check has said what only looks like one.
    const said = options.check === true ? foreign.filter(({ isCertain }) => isCertain) : foreign;
    failure = usageErrorOf(() => refuseForeign(said, context.notes));
  }
  if (failure !== undefined && preview === undefined) throw failure;
  const { policy } = await context.policy();
  const examined = emailUnder(policy, request.body);
  if (preview !== undefined) {
    const shown = request.filled(examined.email);
    const result = await preview.previewEmail(context, shown, options.open === true);
    return { ...result, failure: request.refused ?? failure };
  }
  if (request.asked) {
    await confirmSend(examined, context);
  }
  return await sendAndShow(context, request, { idempotencyKey, expect, wait, examined });
}

/** Reports what `--check` finds; an error if it stops the email. */
async function errorOfCheck(context: Context, { body, filled, isLiteral, written }: ReadRequest) {
  const [{ checkOutgoing }, { createPlaces }] = await Promise.all([
    import('../../check/before-sending.ts'),
    import('../../content/check-places.ts'),
  ]);
  const checking = { kind: 'email', literal: isLiteral } as const;
  const places = (email: CheckedEmail) => createPlaces({ ...written, email });
  return await checkOutgoing(context, [{ fields: filled(body), places }], checking);
}

/** Throws a `UsageError` for placeholders that nothing fills in. */
function refuseUnfilled({ unfilled, body }: ReadRequest): void {
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
  const hint = said(
    `Nothing was ${body.scheduledAt === undefined ? 'sent' : 'scheduled'}.`,
    vars.length > 0 && `To fill ${it} in, give ${value}: ${vars.join(' ')}.`,
    unfilled.some(({ isFixed }) => isFixed === true) &&
      'In addresses and headers, nothing is filled in.',
    'To send the email as it is written, add --literal.',
  ).join(' ');
  throw new UsageError(`${has} no value:\n${unfilledLines(unfilled).join('\n')}`, { hint });
}
