import { UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { type CreateRequest, readCreateRequest } from './create-body.ts';
import type { CreateFlags } from './create-flags.ts';
import { blankForBody, warnOfBlanks } from './pass-campaign.ts';

/**
 * Reads the request for a campaign, and checks it with `--check`; with `--preview`, also the preview to end with. Throws
 * like `readCreateRequest` and `checkBeforeSending`.
 */
export async function readChecked(
  context: Context,
  flags: Parameters<typeof readCreateRequest>[1],
  replaced?: Parameters<typeof readCreateRequest>[2],
) {
  const open = flags.open === true;
  if (open && flags.preview !== true) throw new UsageError('--open needs --preview');
  const request = await readCreateRequest(context, flags, replaced);
  if (flags.check === true) await check(context, request, flags);
  if (flags.preview !== true) return { request, preview: undefined };
  if (flags.allowBlank !== true) await warnOfBlanks(context, request.body);
  const { previewCampaign } = await import('./preview-campaign.ts');
  return { request, preview: await previewCampaign(context, request.body, open) };
}

async function check(
  context: Context,
  { body, written }: CreateRequest,
  { literal, allowBlank }: Pick<CreateFlags, 'literal' | 'allowBlank'>,
) {
  const { checkBeforeSending } = await import('../check/before-sending.ts');
  const { places } = written;
  const blankFor = allowBlank ? undefined : await blankForBody(context, body);
  const isStart = body.sendNow === true || body.scheduledAt !== undefined;
  await checkBeforeSending(context, [{ fields: body, places, blankFor }], {
    ...{ kind: 'campaign', literal: literal === true, nothing: 'Nothing was created.' },
    // A question says it, too.
    refusesBlanks: isStart && !context.prompts.asks,
  });
}
