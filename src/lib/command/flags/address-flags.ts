import type { Context } from '../context.ts';

/** The mailboxes in the values of a repeatable flag; undefined if all values are empty. */
export async function addressesOf(
  values: readonly string[] | undefined,
  flag: string,
): Promise<string | string[] | undefined> {
  const filled = values?.filter((value) => value.trim() !== '') ?? [];
  if (filled.length === 0) return undefined;
  const { parseAddresses } = await import('../../input/addresses.ts');
  return parseAddresses(filled, flag);
}

/** Sender and reply address from the settings, for a request that has none. */
export async function senderSettings(
  context: Pick<Context, 'settings'>,
): Promise<{ from?: string; replyTo?: string | string[] }> {
  const { from, 'reply-to': replyTo } = await context.settings();
  const addresses = await addressesOf(replyTo === undefined ? [] : [replyTo], 'reply-to');
  return {
    ...(from === undefined ? {} : { from }),
    ...(addresses === undefined ? {} : { replyTo: addresses }),
  };
}
