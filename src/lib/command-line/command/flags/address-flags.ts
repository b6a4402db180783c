import { defined } from '../../../base/json/defined.ts';
import type { Context } from '../context.ts';

/** The mailboxes in the values of a repeatable flag; undefined if all values are empty. */
export async function addressesOf(
  values: readonly string[] | undefined,
  flag: string,
): Promise<string | string[] | undefined> {
  const filled = values?.filter((value) => value.trim() !== '') ?? [];
  if (filled.length === 0) return undefined;
  const { parseAddresses } = await import('../../../base/input/addresses.ts');
  return parseAddresses(filled, flag);
}

/**
 * Sender and reply address from the settings, for a request that has none. They belong to the account, whose domains
 * a sandbox does not have.
 */
export async function senderSettings(context: Pick<Context, 'settings' | 'flags'>) {
  if (context.flags.sandbox === true) return {};
  const { from, 'reply-to': replyTo } = await context.settings();
  const addresses = await addressesOf(replyTo === undefined ? [] : [replyTo], 'reply-to');
  return defined({ from, replyTo: addresses });
}

/** Why there is no sender although the settings have one; undefined if they have none, or if it applies. */
export async function senderHint(
  context: Pick<Context, 'settings' | 'flags'>,
): Promise<string | undefined> {
  const isUnused = context.flags.sandbox === true && (await context.settings()).from !== undefined;
  return isUnused ? unusedSetting : undefined;
}

/** Why the setting `from` is not used. */
export const unusedSetting =
  'The setting from does not apply with --sandbox, which has other domains.';
