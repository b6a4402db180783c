import type { Context } from '../context.ts';
import { MailerError } from '../errors.ts';
import type { Clocks } from './clocks.ts';

/**
 * Reads the service's clock before the first request, because a request whose response is lost shows
 * none. Any response has a date, an error too. Throws when there is no response.
 */
export async function askTime({ send }: Context, clocks: Clocks): Promise<void> {
  try {
    await send({ method: 'HEAD', path: '/v1/domains' }, () => undefined, clocks.listen());
  } catch (error) {
    if (!(error instanceof MailerError) || error.reply === undefined) throw error;
  }
}
