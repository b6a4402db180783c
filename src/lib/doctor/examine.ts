import { inspectConfig } from '../account/config/inspect.ts';
import type { Context } from '../command/context.ts';
import { featuresOf } from '../command/features.ts';
import { nextCommand } from '../command/next-command.ts';
import { MailerError } from '../errors.ts';
import { isPrivate } from '../http/network/base-url.ts';
import { parseJson } from '../http/reply.ts';
import type { System } from '../system/system.ts';
import { TransportError } from '../system/wire.ts';
import { hintFor } from '../text/job-hint.ts';
import { shellQuote } from '../text/shell-quote.ts';
import { duration } from '../text/time-in-words.ts';
import { type Check, failed, firstFailed, ok, phrase, skipped, warning } from './check.ts';
import { type FoundAccount, findAccount } from './check-account.ts';
import { checkConfig } from './check-config.ts';
import { type ConnectionChecks, checkConnection, findRoute, refused } from './check-connection.ts';
import { checkKey } from './check-key.ts';
import { checkNode } from './check-node.ts';
import { checkPolicy } from './check-policy.ts';
import { probeService, type ServiceProbe } from './probe-service.ts';

/**
 * Checks every step from this Node to the service, each for at most `timeout` ms. Failures are not thrown.
 */
export async function examine(context: Context, timeout: number): Promise<Check[]> {
  const { system } = context;
  const look = inspectConfig(system);
  const found = findAccount(context, look, timeout);
  const [key, { way, answer }] = await Promise.all([found.key, reach(context, found, timeout)]);
  const config = checkConfig(context, look, found.account, found.ignored);
  const isKnown = typeof found.url === 'string';
  const cause = isKnown ? firstFailed([way.proxy, way.dns, way.tls]) : firstFailed([config]);
  const url = checkUrl(context, found, answer, cause);
  const checks = [
    checkNode(system),
    config,
    checkKey(context, found, key, answer, { url, config, timeout }),
    url,
    way.dns,
    way.tls,
    way.proxy,
    checkClock(system, answer),
    await checkFeatures(context, found.url, url),
    ...(await checkPolicy(context)),
  ];
  return checks.map((check) => {
    const { remedy } = check;
    return remedy === null ? check : { ...check, remedy: phrase(hintFor(system.env, remedy)) };
  });
}

interface Reached {
  readonly way: ConnectionChecks;
  readonly answer: ServiceProbe | undefined;
}

/** Makes one request over the whole way, and at the same time checks each step by itself. */
async function reach(context: Context, found: FoundAccount, timeout: number): Promise<Reached> {
  if (found.url instanceof MailerError)
    return { way: untried('There is no URL'), answer: undefined };
  const baseUrl = found.url;
  const url = new URL(baseUrl);
  const way = findRoute(context.system.env, url);
  if ('check' in way) {
    return { way: { ...untried('Not tried, as proxy failed'), proxy: way }, answer: undefined };
  }
  const request = async () => {
    const key = await found.key;
    const apiKey = key instanceof MailerError ? undefined : key;
    return await probeService(context, { baseUrl, apiKey });
  };
  const [checks, answer] = await Promise.all([
    checkConnection(context.system, url, way, timeout),
    request(),
  ]);
  // Plain http uses a proxy without a tunnel, so the proxy can only reject the request itself.
  const { cause } = answer.error ?? {};
  const status = cause instanceof TransportError ? cause.proxyStatus : undefined;
  return status === undefined || way.kind === 'direct'
    ? { way: checks, answer }
    : { way: { ...checks, proxy: refused(url, way.proxy, status) }, answer };
}

function untried(reason: string): ConnectionChecks {
  return {
    proxy: skipped('proxy', reason),
    dns: skipped('dns', reason),
    tls: skipped('tls', reason),
  };
}

/** A difference in milliseconds that matters: emails and campaigns are scheduled to the minute. */
const noticeable = 60_000;
/** From this difference on, certificates and signatures are misjudged, too. */
const harmful = 5 * 60_000;

/** Checks that this machine and the service agree on the time. */
function checkClock(
  { platform }: Pick<System, 'platform'>,
  answer: ServiceProbe | undefined,
): Check {
  if (answer?.reply === undefined)
    return skipped('clock', 'There was no response to compare it with');
  const theirs = Date.parse(answer.reply.headers.date ?? '');
  if (Number.isNaN(theirs)) return skipped('clock', 'The response has no date');
  const difference = answer.at - theirs;
  const distance = Math.abs(difference);
  const word = difference > 0 ? 'ahead of' : 'behind';
  if (distance <= noticeable) return ok('clock', `Within a minute of the service's`);
  const detail = `This machine's clock is ${duration(distance)} ${word} the service's`;
  const remedy = `Turn on network time: ${setTime[platform] ?? setTime.linux}`;
  return distance > harmful
    ? failed('clock', 'usage', detail, remedy)
    : warning('clock', detail, remedy);
}

const setTime: Partial<Record<NodeJS.Platform, string>> & { linux: string } = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};

/** Checks which operations of the commands the service offers. `url` is the check of the base URL. */
async function checkFeatures(
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

/** Checks that there is a base URL, and that the API is there. `cause` is an earlier failure, if any. */
function checkUrl(
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
