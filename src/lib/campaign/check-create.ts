import type { Context } from '../command/context.ts';
import { UsageError } from '../errors.ts';
import { type CreateRequest, readCreateRequest } from './create-body.ts';
import { warnOfBlanks } from './pass-campaign.ts';

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
  if (flags.check === true) await check(context, request, flags.literal === true);
  if (flags.preview !== true) return { request, preview: undefined };
  if (flags.allowBlank !== true) await warnOfBlanks(context, request.body);
  const { previewCampaign } = await import('./preview-campaign.ts');
  return { request, preview: await previewCampaign(context, request.body, open) };
}

async function check(context: Context, { body, written }: CreateRequest, literal: boolean) {
  const { checkBeforeSending } = await import('../check/before-sending.ts');
  const { places } = written;
  const checking = { kind: 'campaign', literal, nothing: 'Nothing was created.' } as const;
  await checkBeforeSending(context, [{ fields: body, places }], checking);
}
