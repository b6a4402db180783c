import type { Context } from '../context.ts';
import { MailerError } from '../errors.ts';
import type { Clocks } from './clocks.ts';

/**
 * Asks the service what time it is, before the first request whose answer may be lost: by then it is
 * too late to ask. Whatever it answers shows its clock. Throws when there is no answer.
 */
export async function askTime({ send }: Context, clocks: Clocks): Promise<void> {
  try {
    await send({ method: 'HEAD', path: '/v1/domains' }, () => undefined, clocks.listen());
  } catch (error) {
    if (!(error instanceof MailerError) || error.reply === undefined) throw error;
  }
}
