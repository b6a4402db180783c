import { MailerError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { TransportError } from '../../base/system/wire.ts';
import { hintFor } from '../../base/text/job-hint.ts';
import { duration } from '../../base/text/time-in-words.ts';
import { inspectConfig } from '../../service/account/config/inspect.ts';
import type { Context } from '../command/context.ts';
import { featuresOf } from '../command/features.ts';
import { type Check, failed, firstFailed, ok, phrase, skipped, warning } from './check.ts';
import { type FoundAccount, findAccount } from './check-account.ts';
import { checkConfig } from './check-config.ts';
import { type ConnectionChecks, checkConnection, findRoute, refused } from './check-connection.ts';
import { checkInstallations } from './check-installations.ts';
import { checkKey } from './check-key.ts';
import { checkNode } from './check-node.ts';
import { checkPolicy } from './check-policy.ts';
import { checkUrl } from './check-url.ts';
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
    ...checkInstallations(system),
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
