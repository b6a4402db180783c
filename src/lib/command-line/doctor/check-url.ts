import { MailerError } from '../../base/errors.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { isPrivate } from '../../service/http/network/base-url.ts';
import { parseJson } from '../../service/http/reply.ts';
import type { Context } from '../command/context.ts';
import { nextCommand } from '../command/next-command.ts';
import { type Check, failed, ok, phrase, skipped, warning } from './check.ts';
import type { FoundAccount } from './check-account.ts';
import type { ServiceProbe } from './probe-service.ts';

/** Checks that there is a base URL, and that the API is there. `cause` is an earlier failure, if any. */
export function checkUrl(
  context: Context,
  { url, account }: FoundAccount,
  answer: ServiceProbe | undefined,
  cause: Check | undefined,
): Check {
  if (url instanceof MailerError) {
    if (cause !== undefined) return skipped('url', `Not known, as ${cause.check} failed`);
    // The same with and without a key, which has its own check.
    const detail = account.baseUrlSource === undefined ? 'There is no base URL' : url.message;
    const remedy =
      account.baseUrlSource === undefined
        ? `Give it with --base-url or MAILER_BASE_URL, or store it with: ${nextCommand(context, 'login')}`
        : (url.details.hint ?? 'Write it as https://mail.example.com/api');
    return failed('url', 'usage', detail, remedy);
  }
  const shown = `${url} (${account.baseUrlSource})`;
  const { reply, error } = answer ?? {};
  if (reply === undefined) {
    if (cause !== undefined) return skipped('url', `${shown}; not tried, as ${cause.check} failed`);
    return failed(
      'url',
      error?.code ?? 'unavailable',
      `${shown}: ${error?.message ?? 'no response'}`,
      unreachable(context, url),
    );
  }
  const problem = problemOf(reply.status, parseJson(reply.body) !== undefined, error);
  if (problem !== undefined) {
    const isMoved = reply.status >= 300 && reply.status < 400;
    const isDown = problem.code === 'unavailable';
    const hint = isMoved || isDown ? error?.details.hint : undefined;
    const remedy = hint ?? (isDown ? unwell : otherPath(context, url));
    return failed('url', problem.code, `${shown}: ${problem.text}`, remedy);
  }
  return isPrivate(url)
    ? ok('url', shown)
    : warning('url', `${shown} is plain http, which others can read`, 'Use its https URL');
}

const unwell =
  'Wait, then run the command again. If the error persists, contact the operator of the service.';

/** Why a response is not from the API; a rejected key is not a reason. */
function problemOf(
  status: number,
  isJson: boolean,
  error: MailerError | undefined,
): { code: MailerError['code']; text: string } | undefined {
  if (error === undefined || status === 429) return undefined;
  if (error.code === 'unavailable') return { code: error.code, text: error.message };
  if (status === 404)
    return { code: 'usage', text: `no API there: ${phrase(error.message)} (404)` };
  if (status >= 400 && !isJson) {
    return { code: 'bad_reply', text: `it responded with ${status}, and not in JSON` };
  }
  return error.code === 'auth' ? undefined : { code: error.code, text: error.message };
}

function unreachable({ system }: Context, url: string): string {
  return `Check host and port, and that the service is up: ${shellQuote(['curl', '-v', url], system)}`;
}

function otherPath(context: Context, url: string): string {
  const { origin, pathname } = new URL(url);
  if (pathname.endsWith('/api')) return 'Check the base URL: host, port and path.';
  const flags = { ...context.flags, baseUrl: `${origin}/api` };
  return `The path usually is /api. Try: ${nextCommand({ system: context.system, flags }, 'doctor')}`;
}
