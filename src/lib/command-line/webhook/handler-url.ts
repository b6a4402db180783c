import { UsageError } from '../../base/errors.ts';
import { isLoopback } from '../../service/http/network/base-url.ts';

/** The name and description of the flag that allows calls to other machines. */
export const allowRemoteFlag = ['--allow-remote', 'allow calls to other machines'] as const;

/**
 * The URL of a handler. Throws a `UsageError` if it is none, or if it is on another machine and that is not allowed:
 * a call there may start real work.
 */
export function handlerUrl(
  text: string | undefined,
  flag: string,
  allowRemote: boolean | undefined,
): URL {
  if (text === undefined) throw new UsageError(`${flag} is missing: the URL of the handler`);
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${flag}: not an http or https URL`, {
      hint: 'Write it in full, such as http://localhost:3000/webhooks',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${flag}: must not contain a user name or a password`);
  }
  if (isLoopback(url.hostname) || allowRemote === true) return url;
  throw new UsageError(`${flag}: ${url.host} is another machine. Nothing was sent.`, {
    hint: 'If it may receive test calls, add --allow-remote.',
  });
}
