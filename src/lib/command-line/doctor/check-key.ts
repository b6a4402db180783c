import { MailerError } from '../../base/errors.ts';
import { maskKey } from '../../service/account/api-key.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { otherKey } from '../command/other-key.ts';
import { type Check, failed, ok, phrase, skipped } from './check.ts';
import type { FoundAccount } from './check-account.ts';
import type { ServiceProbe } from './probe-service.ts';

/** Checks that there is a key, and that the service accepts it. `url` is the check of the base URL. */
export function checkKey(
  context: Context,
  { account, url: baseUrl }: FoundAccount,
  key: string | MailerError | undefined,
  answer: ServiceProbe | undefined,
  { url, config, timeout }: { url: Check; config: Check; timeout: number },
): Check {
  const { keySource } = account;
  if (keySource === undefined) {
    return config.state === 'FAILED'
      ? skipped('key', 'Not known, as config failed')
      : failed('key', 'auth', 'There is no API key', withoutKey(context));
  }
  if (key instanceof MailerError) {
    return isLate(key)
      ? failed('key', 'auth', `The ${keySource} took longer than ${timeout / 1000} s`, moreTime)
      : failed('key', 'auth', key.message, key.details.hint ?? withoutKey(context));
  }
  if (key === undefined) {
    const cause = config.state === 'FAILED' ? config : url;
    return skipped('key', `${keySource}; not tried, as ${cause.check} failed`);
  }
  const shown = `${maskKey(key, context.system)} (${keySource})`;
  const { reply, error } = answer ?? {};
  if (reply === undefined || url.state === 'FAILED') {
    return skipped('key', `${shown}; not tried, as the API did not respond`);
  }
  if (error?.code === 'rate_limited') {
    return failed(
      'key',
      'unavailable',
      `${shown}; not tried: ${phrase(error.message)} (429)`,
      'Wait, then run the command again.',
    );
  }
  if (error?.code === 'auth') {
    return failed(
      'key',
      'auth',
      `${shown}, rejected: ${phrase(error.message)} (${reply.status})`,
      otherKey(context, keySource, String(baseUrl)),
    );
  }
  return ok('key', `${shown}, accepted`);
}

const moreTime = 'Run it by itself to see what it waits for, or give it more time with --timeout.';

function isLate({ cause }: MailerError): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

function withoutKey(context: Context): string {
  return `Set MAILER_API_KEY and MAILER_BASE_URL, or log in: ${nextCommand(context, 'login')}`;
}
