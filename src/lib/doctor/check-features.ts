import type { Context } from '../command/context.ts';
import { featuresOf } from '../command/features.ts';
import { MailerError } from '../errors.ts';
import { type Check, ok, skipped } from './check.ts';

/** Checks which operations of the commands the service offers. `url` is the check of the base URL. */
export async function checkFeatures(
  { clientFor }: Pick<Context, 'clientFor'>,
  baseUrl: string | MailerError,
  url: Check,
): Promise<Check> {
  if (baseUrl instanceof MailerError || url.state === 'FAILED' || url.state === 'SKIPPED') {
    return skipped('features', `Not known, as ${url.check} ${cause(url)}`);
  }
  try {
    const features = await featuresOf(await clientFor({ baseUrl, apiKey: undefined }));
    if (features === undefined) {
      return skipped('features', 'Not known, as the service does not describe its API');
    }
    const missing = features.flatMap(({ feature, offered, missing }) =>
      offered ? missing : feature,
    );
    return ok('features', missing.length === 0 ? 'All' : `All but ${missing.join(', ')}`);
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    return skipped('features', `Not known: ${error.message}`);
  }
}

function cause({ state }: Check): string {
  return state === 'FAILED' ? 'failed' : 'was not tried';
}
