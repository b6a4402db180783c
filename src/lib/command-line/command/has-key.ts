import { MailerError, when } from '../../base/errors.ts';
import type { Context } from './context.ts';

/** Whether the account has a key, which a dry run does not need. */
export async function hasKey(context: Pick<Context, 'account'>): Promise<boolean> {
  const key = context.account().then((account) => account.key());
  return (await key.catch(when(MailerError, () => undefined))) !== undefined;
}
